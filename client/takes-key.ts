/** The server keeps no answer of these, so that a key on them means nothing. */
const NEVER_KEPT =
  /^((auth|audit)\..*|accessTokens\.create|erasure\.erase|profiles\.exportData|payments\.export(Own)?History)$/

/** Whether a write of somebody signed in is done once under a key. */
export function takesKey(path: string): boolean {
  return !NEVER_KEPT.test(path)
}
