/** The part of an address before its secret. */
const BEFORE_SECRET = /^\/(?:verify|reset-password|unsubscribe|not-me|visit|calendar)\//

/** Whether an address is itself a secret, which must not leak through Referer or caches. */
export function isSecretPath(pathname: string): boolean {
  return BEFORE_SECRET.test(pathname)
}

/** A path for the log, without secrets. */
export function loggedPath(pathname: string): string {
  const before = BEFORE_SECRET.exec(pathname)?.[0]
  return before === undefined ? pathname : `${before}…`
}
