/** The last typed purpose and its author. In memory only, because it is health data. */
let kept: { userId: string; text: string } | null = null

/** Keeps the text for this user's next checkout, in case the current hold is lost. */
export function keepPurpose(userId: string, text: string): void {
  kept = { userId, text }
}

/** The text this user typed before losing a hold; '' for any other user. */
export function keptPurpose(userId: string): string {
  return kept?.userId === userId ? kept.text : ''
}

/** Called once the visit is booked: the next one needs its own purpose. */
export function forgetPurpose(): void {
  kept = null
}
