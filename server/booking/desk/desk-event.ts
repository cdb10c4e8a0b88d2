import * as z from 'zod/mini'
import { Region } from '#contract/region.ts'
import { parseJson } from '#db/columns.ts'
import type { Services } from '#server/context.ts'
import type { DeskRow } from './desk-store.ts'
import { openDetail } from './sealed-details.ts'

/** Facts for the email about a desk visit and its calendar file. */
const Told = z.object({
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

type Told = z.infer<typeof Told>

/** A desk visit in the shape of a booked visit, which calendar files and emails expect. */
export type DeskEvent = ReturnType<typeof asVisit>

function asVisit(told: Told) {
  return {
    ...told,
    mode: 'in_person' as const,
    confirmed_at: told.created_at,
    closed_at: null,
    // Without an account there is no discreet setting: calendars show the provider's name.
    patient_discreet: null,
    type_name: null,
  }
}

type Opening = Pick<Services, 'secrets'>

function toldOf({ secrets }: Opening, row: DeskRow): Told {
  return z.parse(Told, {
    ...row,
    patient_name: openDetail({ secrets }, row.name),
    patient_email: openDetail({ secrets }, row.email),
  })
}

/** Facts about a desk visit for emails; `patient_email` is empty where none was given. */
export function eventOf(services: Opening, row: DeskRow): DeskEvent {
  return asVisit(toldOf(services, row))
}

/** The facts of a desk visit as cancelled at `now`, encrypted: kept for the email while the row is erased. */
export function sealCancelled({ secrets }: Opening, row: DeskRow, now: number): string {
  const { sequence } = row
  const cancelled = { ...toldOf({ secrets }, row), state: 'cancelled', changed_at: now }
  return secrets.seal('mail', JSON.stringify({ ...cancelled, sequence: sequence + 1 }))
}

/** Decrypts what `sealCancelled` encrypted. */
export function openEvent({ secrets }: Opening, sealed: string): DeskEvent {
  return asVisit(z.parse(Told, parseJson<unknown>(secrets.open('mail', sealed))))
}
