/** An address with every character after the first two as an x, as the specification shows it. */
export function maskedEmail(email: string): string {
  return email.slice(0, 2) + 'x'.repeat(Math.max(0, email.length - 2))
}
