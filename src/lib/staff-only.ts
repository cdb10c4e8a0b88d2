import { type ParsedLocation, redirect } from '@tanstack/react-router'
import { isStaffHere } from './session.ts'

/**
 * The guard of the staff's pages: whoever is not known here as staff goes to the staff's sign-in and
 * comes back. What they may do the server says, call by call.
 */
export function staffOnly({ location }: { location: ParsedLocation }): void {
  if (isStaffHere()) return
  // oxlint-disable-next-line typescript/only-throw-error -- how a guard of the router leads elsewhere
  throw redirect({ to: '/admin-signin', search: { next: location.href }, replace: true })
}
