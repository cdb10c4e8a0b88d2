/** "Dentists" as "dentists" within a sentence; "GPs" and "ENT specialists" stay as they are. */
export function midSentence(word: string): string {
  return /^\p{Lu}\p{Lu}/u.test(word) ? word : word.charAt(0).toLowerCase() + word.slice(1)
}
