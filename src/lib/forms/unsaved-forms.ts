import { createContext, useContext, useEffect } from 'react'

/** Ids of the forms of a page with unsaved input; null on a page that can be left without a question. */
export const UnsavedForms = createContext<Set<string> | null>(null)

/** Tells the page whether a form on it has unsaved input, until the form is closed. */
export function useReportUnsaved(id: string, isUnsaved: boolean): void {
  const forms = useContext(UnsavedForms)
  useEffect(() => {
    if (forms === null || !isUnsaved) return
    forms.add(id)
    return () => {
      forms.delete(id)
    }
  }, [forms, id, isUnsaved])
}
