import * as z from 'zod/mini'
import { CancelManyInput, CancelReason } from '#contract/visits.ts'
import { parseJson } from '#db/columns.ts'
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

const Why = z.object({ reason: CancelReason, note: CancelManyInput.shape.note })

/** Why a provider calls a visit off, for whoever was to come. */
export type Why = z.infer<typeof Why>

/** What an email says of it, encrypted: the note may name somebody. */
export function sealWhy({ secrets }: Sealing, { reason, note }: Why): string {
  return secrets.seal('mail', JSON.stringify({ reason, note }))
}

/** What was sealed. */
export function openWhy({ secrets }: Sealing, sealed: string): Why {
  return z.parse(Why, parseJson<unknown>(secrets.open('mail', sealed)))
}
