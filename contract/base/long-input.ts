/** Longest URL of a read, in characters: any browser, proxy or server accepts it. */
export const MAX_URL_LENGTH = 2_000

/** Room in the URL for the procedure's path and what surrounds the input. */
const PATH_ROOM = 200

/** Whether an input makes the URL of a read too long, so that it goes in the body of a POST (decision 065). */
export function isLongInput(input: unknown): boolean {
  if (input === undefined) return false
  return encodeURIComponent(JSON.stringify(input)).length > MAX_URL_LENGTH - PATH_ROOM
}
