/** What was typed last and by whom. In memory only: it is about somebody's health. */
let kept: { userId: string; text: string } | null = null

/** Keeps the text for the time this person turns to next, should they lose the one they had. */
export function keepPurpose(userId: string, text: string): void {
  kept = { userId, text }
}

/** What this person typed before a time was lost; '' for everybody else. */
export function keptPurpose(userId: string): string {
  return kept?.userId === userId ? kept.text : ''
}

/** The visit is booked: the next one has a purpose of its own. */
export function forgetPurpose(): void {
  kept = null
}
