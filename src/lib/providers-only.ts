import { type ParsedLocation, redirect } from '@tanstack/react-router'
import { signedInUser } from './session.ts'

/**
 * The guard of the provider's pages: nobody signed in goes to the provider's sign-in and comes back.
 * Who is signed in as somebody else only the server knows; the page says so itself.
 */
export function providersOnly({ location }: { location: ParsedLocation }): void {
  if (signedInUser() !== null) return
  const search = { as: 'provider', next: location.href } as const
  // oxlint-disable-next-line typescript/only-throw-error -- how a guard of the router leads elsewhere
  throw redirect({ to: '/sign-in', search, replace: true })
}
