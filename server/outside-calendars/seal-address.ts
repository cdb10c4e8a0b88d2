import type { Services } from '#server/context.ts'

type Sealing = Pick<Services, 'secrets'>

/** Seals the address of a calendar for its row: put into another, it does not open. */
export function sealAddress({ secrets }: Sealing, id: string, address: string): string {
  return secrets.seal('outside', `${id} ${address}`)
}

/** The address of a calendar; throws when it was sealed for another row. */
export function openAddress(
  { secrets }: Sealing,
  { id, sealed }: { id: string; sealed: string },
): string {
  const text = secrets.open('outside', sealed)
  if (!text.startsWith(`${id} `)) throw new Error('This address was sealed for another calendar.')
  return text.slice(id.length + 1)
}

/** Keyed hash by which a provider's own address is found again; another's same one has another. */
export function fingerprintOf({ secrets }: Sealing, providerId: string, address: string): string {
  return secrets.mac('outside', `${providerId} ${address}`)
}
