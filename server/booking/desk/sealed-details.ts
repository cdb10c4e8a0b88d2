import * as z from 'zod/mini'
import { CancelManyInput, CancelReason } from '#contract/visits.ts'
import { parseJson } from '#db/columns.ts'
import type { Services } from '#server/context.ts'

type Encrypting = Pick<Services, 'secrets'>

/** Encrypts a detail of a desk visit; empty text stays empty. */
export function sealDetail({ secrets }: Encrypting, text: string): string {
  return text === '' ? '' : secrets.seal('desk', text)
}

/** Decrypts a detail; empty where none was given or it has been deleted. */
export function openDetail({ secrets }: Encrypting, sealed: string): string {
  return sealed === '' ? '' : secrets.open('desk', sealed)
}

const Why = z.object({ reason: CancelReason, note: CancelManyInput.shape.note })

/** Why a provider cancels a visit, as told to the patient. */
export type Why = z.infer<typeof Why>

/** Encrypts the reason for the email: its note may name someone. */
export function sealCancelReason({ secrets }: Encrypting, { reason, note }: Why): string {
  return secrets.seal('mail', JSON.stringify({ reason, note }))
}

/** Decrypts what `sealCancelReason` encrypted. */
export function openCancelReason({ secrets }: Encrypting, sealed: string): Why {
  return z.parse(Why, parseJson<unknown>(secrets.open('mail', sealed)))
}
