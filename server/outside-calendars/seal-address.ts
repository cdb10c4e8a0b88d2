import type { Services } from '#server/context.ts'

type Encrypting = Pick<Services, 'secrets'>

/** Encrypts the address of a calendar for its row: it cannot be decrypted in another one. */
export function sealAddress({ secrets }: Encrypting, id: string, address: string): string {
  return secrets.seal('outside', `${id} ${address}`)
}

/** Decrypts the address of a calendar; throws when it was encrypted for another row. */
export function openAddress(
  { secrets }: Encrypting,
  { id, sealed }: { id: string; sealed: string },
): string {
  const text = secrets.open('outside', sealed)
  if (!text.startsWith(`${id} `)) throw new Error('This address was sealed for another calendar.')
  return text.slice(id.length + 1)
}

/**
 * Keyed hash that identifies an address among a provider's own; the same address of another provider has
 * another hash.
 */
export function fingerprintOf(
  { secrets }: Encrypting,
  providerId: string,
  address: string,
): string {
  return secrets.mac('outside', `${providerId} ${address}`)
}
