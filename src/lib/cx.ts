type ClassName = string | false | null | undefined

/** Joins the class names that are there, separated by spaces. */
export function cx(...names: ClassName[]): string {
  return names.filter(Boolean).join(' ')
}
