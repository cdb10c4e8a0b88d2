/** The last typed purpose and its author. In memory only, because it is health data. */
let saved: { userId: string; text: string } | null = null

/** Keeps the text for this user's next checkout, in case the current hold is lost. */
export function savePurpose(userId: string, text: string): void {
  saved = { userId, text }
}

/** The text this user typed before losing a hold; '' for any other user. */
export function savedPurpose(userId: string): string {
  return saved?.userId === userId ? saved.text : ''
}

/** Called once the visit is booked: the next one needs its own purpose. */
export function clearPurpose(): void {
  saved = null
}
