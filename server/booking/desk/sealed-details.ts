import * as z from 'zod/mini'
import { Region } from '#contract/base/region.ts'
import { BOOKED } from '#contract/life-cycles/visit.ts'
import { CancelManyInput, CancelReason } from '#contract/visits.ts'
import { parseJson } from '#db/columns.ts'
import type { Services } from '#server/context.ts'
import type { DeskRow } from './desk-store.ts'

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

/** Facts for the email about a desk visit and its calendar file. */
const EventFacts = z.object({
  id: z.string(),
  reference: z.string(),
  kind: z.enum(['phone', 'walk_in']),
  state: z.enum(BOOKED),
  sequence: z.int(),
  region: Region,
  start_at: z.number(),
  end_at: z.number(),
  time_zone: z.string(),
  moved_from: z.nullable(z.number()),
  /** Left out by versions that did not record it. */
  moved_from_zone: z._default(z.nullable(z.string()), null),
  created_at: z.number(),
  changed_at: z.number(),
  title: z.nullable(z.string()),
  first_name: z.string(),
  last_name: z.string(),
  place_name: z.string(),
  address: z.string(),
  locality: z.string(),
  postcode: z.string(),
  latitude: z.number(),
  longitude: z.number(),
  place_phone: z.nullable(z.string()),
  patient_name: z.string(),
  patient_email: z.string(),
})

type EventFacts = z.infer<typeof EventFacts>

/** A desk visit in the shape of a booked visit, which calendar files and emails expect. */
export type DeskEvent = ReturnType<typeof toVisit>

function toVisit(facts: EventFacts) {
  return {
    ...facts,
    mode: 'in_person' as const,
    confirmed_at: facts.created_at,
    closed_at: null,
    // Without an account there is no discreet setting: calendars show the provider's name.
    patient_discreet: null,
    type_name: null,
  }
}

function factsOf({ secrets }: Encrypting, row: DeskRow): EventFacts {
  return z.parse(EventFacts, {
    ...row,
    patient_name: openDetail({ secrets }, row.name),
    patient_email: openDetail({ secrets }, row.email),
  })
}

/** Facts about a desk visit for emails; `patient_email` is empty where none was given. */
export function eventOf(services: Encrypting, row: DeskRow): DeskEvent {
  return toVisit(factsOf(services, row))
}

/** The facts of a desk visit as cancelled at `now`, encrypted: kept for the email while the row is erased. */
export function sealCancelled({ secrets }: Encrypting, row: DeskRow, now: number): string {
  const { sequence } = row
  const cancelled = { ...factsOf({ secrets }, row), state: 'cancelled', changed_at: now }
  return secrets.seal('mail', JSON.stringify({ ...cancelled, sequence: sequence + 1 }))
}

/** Decrypts what `sealCancelled` encrypted. */
export function openEvent({ secrets }: Encrypting, sealed: string): DeskEvent {
  return toVisit(z.parse(EventFacts, parseJson<unknown>(secrets.open('mail', sealed))))
}
