let names: Intl.DisplayNames | undefined

/** "Welsh" for `cy`: the English name of an ISO 639 code; unknown text is given back as it is. */
export function languageName(code: string): string {
  names ??= new Intl.DisplayNames(['en-GB'], { type: 'language', fallback: 'code' })
  try {
    return names.of(code) ?? code
  } catch {
    return code
  }
}
