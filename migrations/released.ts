/**
 * The last migration of the latest released version. What comes after it must leave that version working,
 * and a version that knows less must not run over what we made. Raised at each release.
 */
export const RELEASED = '0047-desk-visits'
