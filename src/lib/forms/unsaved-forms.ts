import { createContext, useCallback, useContext, useEffect } from 'react'

/**
 * The forms of a page with unsaved input, by id; while one is being saved, whether that succeeds. Null on a page that can
 * be left without a question.
 */
export const UnsavedForms = createContext<Map<string, Promise<boolean> | undefined> | null>(null)

/**
 * Tells the page whether a form on it has unsaved input, until the form is closed. Returns a function to call when it is
 * being saved.
 */
export function useReportUnsaved(
  id: string,
  isUnsaved: boolean,
): (saving: Promise<boolean>) => void {
  const forms = useContext(UnsavedForms)
  useEffect(() => {
    if (forms === null || !isUnsaved) return
    forms.set(id, undefined)
    return () => {
      forms.delete(id)
    }
  }, [forms, id, isUnsaved])
  return useCallback(
    (saving) => {
      if (forms?.has(id)) forms.set(id, saving)
    },
    [forms, id],
  )
}
