import { useEffect, useState } from 'react'

/** Replaces the token in the URL once the page has read it. */
export const TOKEN_PLACEHOLDER = 'link'

/**
 * The token of an emailed link, which is then removed from the URL and the history (security.md, call 10).
 * `forget` replaces the URL. Null after a reload, when the token is gone.
 */
export function useLinkToken(urlToken: string, forget: () => void): string | null {
  const [token] = useState(urlToken === TOKEN_PLACEHOLDER ? null : urlToken)
  useEffect(() => {
    if (urlToken !== TOKEN_PLACEHOLDER) forget()
  }, [urlToken, forget])
  return token
}
