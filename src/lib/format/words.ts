/** "1 visit", "3 visits": for words that take an s. */
export function plural(count: number, word: string): string {
  return count === 1 ? `1 ${word}` : `${count} ${word}s`
}

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

/** "Dentists" as "dentists" within a sentence; "GPs" and "ENT specialists" stay as they are. */
export function midSentence(word: string): string {
  return /^\p{Lu}\p{Lu}/u.test(word) ? word : word.charAt(0).toLowerCase() + word.slice(1)
}
