import type { Services } from '#server/context.ts'

type Sealing = Pick<Services, 'secrets'>

/** A detail of a desk visit as it is kept: encrypted, or empty where nothing was said. */
export function sealDetail({ secrets }: Sealing, text: string): string {
  return text === '' ? '' : secrets.seal('desk', text)
}

/** What was sealed; empty where nothing was said, or it is no longer kept. */
export function openDetail({ secrets }: Sealing, sealed: string): string {
  return sealed === '' ? '' : secrets.open('desk', sealed)
}
