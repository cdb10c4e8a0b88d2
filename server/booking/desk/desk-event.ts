import * as z from 'zod/mini'
import { Region } from '#contract/region.ts'
import { parseJson } from '#db/columns.ts'
import type { Services } from '#server/context.ts'
import type { DeskRow } from './desk-store.ts'
import { openDetail } from './sealed-details.ts'

/** Facts for the email about a desk visit and its calendar file. */
const EventFacts = z.object({
  id: z.string(),
  reference: z.string(),
  kind: z.enum(['phone', 'walk_in']),
  state: z.enum(['confirmed', 'cancelled']),
  sequence: z.int(),
  region: Region,
  start_at: z.number(),
  end_at: z.number(),
  time_zone: z.string(),
  moved_from: z.nullable(z.number()),
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

type Decrypting = Pick<Services, 'secrets'>

function factsOf({ secrets }: Decrypting, row: DeskRow): EventFacts {
  return z.parse(EventFacts, {
    ...row,
    patient_name: openDetail({ secrets }, row.name),
    patient_email: openDetail({ secrets }, row.email),
  })
}

/** Facts about a desk visit for emails; `patient_email` is empty where none was given. */
export function eventOf(services: Decrypting, row: DeskRow): DeskEvent {
  return toVisit(factsOf(services, row))
}

/** The facts of a desk visit as cancelled at `now`, encrypted: kept for the email while the row is erased. */
export function sealCancelled({ secrets }: Decrypting, row: DeskRow, now: number): string {
  const { sequence } = row
  const cancelled = { ...factsOf({ secrets }, row), state: 'cancelled', changed_at: now }
  return secrets.seal('mail', JSON.stringify({ ...cancelled, sequence: sequence + 1 }))
}

/** Decrypts what `sealCancelled` encrypted. */
export function openEvent({ secrets }: Decrypting, sealed: string): DeskEvent {
  return toVisit(z.parse(EventFacts, parseJson<unknown>(secrets.open('mail', sealed))))
}
