/** An address with every character after the first two as an x, as the specification shows it. */
export function maskedEmail(email: string): string {
  return email.slice(0, 2) + 'x'.repeat(Math.max(0, email.length - 2))
}

/** Reserved for addresses that must never work (RFC 2606). */
const NOWHERE = '@erased.invalid'

/** What stands in the place of an address that was erased; unique like the id it is made from. */
export function erasedAddress(id: string): string {
  return id + NOWHERE
}

/** Whether nobody can be written to at an address any more. */
export function isErasedAddress(address: string): boolean {
  return address.endsWith(NOWHERE)
}
