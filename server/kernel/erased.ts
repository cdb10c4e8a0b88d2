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
