export type AuthSearch = {
  /** Shows the provider's registration; the patient's when left out. Signing in, it is only what is offered first. */
  as?: 'provider'
  /** Where to go afterwards; read only through `knownPath`. */
  next?: string
}

/** The query of `/sign-in`, `/register` and `/forgot-password`; unknown values are dropped. */
export function readAuthSearch(search: Record<string, unknown>): AuthSearch {
  const { as, next } = search
  return {
    ...(as === 'provider' && { as }),
    ...(typeof next === 'string' && { next }),
  }
}
