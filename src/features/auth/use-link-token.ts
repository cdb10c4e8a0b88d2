import { useEffect, useState } from 'react'

/** What stands in the address once the page has taken the token out of it. */
export const TAKEN = 'link'

/**
 * The token of a mailed link, which then leaves the address and the history (security.md, call 10).
 * `forget` replaces the address. Null when the page was loaded again and the token is gone.
 */
export function useLinkToken(inAddress: string, forget: () => void): string | null {
  const [token] = useState(inAddress === TAKEN ? null : inAddress)
  useEffect(() => {
    if (inAddress !== TAKEN) forget()
  }, [inAddress, forget])
  return token
}
