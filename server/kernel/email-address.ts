/** An address with every character after the first two masked as an x, as the specification shows it. */
export function maskedEmail(email: string): string {
  return email.slice(0, 2) + 'x'.repeat(Math.max(0, email.length - 2))
}

/** A domain that never receives email (RFC 2606). */
const ERASED_DOMAIN = '@erased.invalid'

/** Placeholder for an erased address; unique like the id it is made from. */
export function erasedAddress(id: string): string {
  return id + ERASED_DOMAIN
}

/** Whether an address was erased and can no longer receive email. */
export function isErasedAddress(address: string): boolean {
  return address.endsWith(ERASED_DOMAIN)
}
