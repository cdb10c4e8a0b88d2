import type { OutsideFailure } from '#contract/outside-calendars.ts'

/** Why an address a user supplied could not be read. */
export class OutsideError extends Error {
  override readonly name = 'OutsideError'
  readonly failure: OutsideFailure

  constructor(failure: OutsideFailure, cause?: unknown) {
    super(`The address could not be read: ${failure}`, { cause })
    this.failure = failure
  }
}

/** The address as a URL; `webcal:` becomes `https:`. Throws `OutsideError` for an invalid address. */
export function httpsOf(address: string): URL {
  const text = address.trim().replace(/^webcals?:/i, 'https:')
  if (!URL.canParse(text)) throw new OutsideError('address')
  const url = new URL(text)
  url.hash = ''
  return url
}
