import { createContext, useCallback, useContext, useEffect } from 'react'

/** Resolves to whether a form has been saved: at once if it is not being saved. */
export type Saving = Promise<boolean>

/** The forms of a page with unsaved input, by id. Null on a page that can be left without a question. */
export const UnsavedForms = createContext<Map<string, Saving> | null>(null)

/**
 * Tells the page whether a form on it has unsaved input, until the form is closed. Returns a function to call when it is
 * being saved.
 */
export function useReportUnsaved(id: string, isUnsaved: boolean): (saving: Saving) => void {
  const forms = useContext(UnsavedForms)
  useEffect(() => {
    if (forms === null || !isUnsaved) return
    forms.set(id, Promise.resolve(false))
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
