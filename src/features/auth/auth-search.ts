export type AuthSearch = {
  /** Shows the provider's form; the patient's when left out. */
  as?: 'provider'
  /** Where to go afterwards; read only through `knownPath`. */
  next?: string
}

/** The query of `/sign-in`, `/register` and `/forgot-password`; what is no value of ours is dropped. */
export function readAuthSearch(search: Record<string, unknown>): AuthSearch {
  const { as, next } = search
  return {
    ...(as === 'provider' && { as }),
    ...(typeof next === 'string' && { next }),
  }
}
