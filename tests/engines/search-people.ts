import { ID_LENGTH } from '#contract/base/ids.ts'
import { type Instant, toFlag, toJson } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'
import type { PlaceRow, ProviderRow } from '#db/tables/profiles.ts'
import { reindexProviders } from '#server/search/reindex.ts'

export type Site = { latitude: number; longitude: number }

/** A provider in a search test; all other columns are the same for everyone. */
export type Person = {
  no: number
  sites: Site[]
  specialtyNo?: number
  /** Fee in pounds. */
  fee?: number
  name?: string
  gender?: ProviderRow['gender']
  languages?: string[]
  video?: boolean
  region?: ProviderRow['region']
  timeZone?: string
  status?: ProviderRow['verification_status']
  about?: string
  free?: Instant[]
  taken?: Instant[]
}

/** A provider's id by number, so that a test can name the expected results. */
export function idOf(no: number): string {
  return `prv_${String(no).padStart(ID_LENGTH, '0')}`
}

function providerRow(person: Person) {
  return {
    no: person.no,
    id: idOf(person.no),
    region: person.region ?? 'uk',
    title: 'Dr',
    first_name: 'Alex',
    last_name: person.name ?? `Person ${person.no}`,
    gender: person.gender ?? null,
    email: `p${person.no}@clinic.example`,
    phone: null,
    specialty_no: person.specialtyNo ?? 1,
    professional_body: 'GMC' as const,
    membership_number: String(1_000_000 + person.no),
    verification_status: person.status ?? ('Verified' as const),
    verified_at: Date.parse('2026-01-12T09:00:00Z'),
    photo: null,
    about: person.about ?? 'Sees people of all ages.',
    qualifications: toJson(['MBBS']),
    languages: toJson(person.languages ?? ['en']),
    offers_in_person: 1 as const,
    offers_video: toFlag(person.video ?? false),
    amount_minor: (person.fee ?? 60) * 100,
    follow_amount_minor: 4_000,
    currency: 'GBP' as const,
    consultation_minutes: 15,
    follow_up_policy: 'trust' as const,
    free_cancel_hours: 24,
    late_cancel_percent: 50,
    no_show_percent: 100,
    rating_sum: 9,
    rating_count: 2,
    created_at: 0,
    updated_at: 0,
  }
}

/** Numbers a provider's places; there are a hundred numbers per provider. */
function placeNoOf(no: number, position: number): number {
  return no * 100 + position
}

function placeRows(person: Person): PlaceRowIn[] {
  return person.sites.map((site, position) => ({
    no: placeNoOf(person.no, position),
    id: `plc_${String(placeNoOf(person.no, position)).padStart(ID_LENGTH, '0')}`,
    provider_no: person.no,
    position,
    name: 'The Surgery',
    address: '1 High Street',
    locality: 'Town',
    postcode: 'SE1 6ET',
    ...site,
    time_zone: person.timeZone ?? 'Europe/London',
    phone: null,
    removed_at: null,
  }))
}

type PlaceRowIn = Omit<PlaceRow, 'no'> & { no: number }

/** The place a provider works at at a given time; alternates every quarter of an hour. */
export function siteAt({ sites }: Person, start: Instant): number {
  return Math.floor(start / 900_000) % Math.max(1, sites.length)
}

function slotRows(person: Person) {
  const row = (start: Instant, free: boolean) => ({
    provider_no: person.no,
    start_at: start,
    place_no: placeNoOf(person.no, siteAt(person, start)),
    minutes: 15,
    free: toFlag(free),
  })
  return [
    ...(person.free ?? []).map((start) => row(start, true)),
    ...(person.taken ?? []).map((start) => row(start, false)),
  ]
}

/** Inserts providers, their places and slots, and the search index as of `now`. */
export async function insertPeople(db: Db, people: readonly Person[], now: Instant): Promise<void> {
  for (let from = 0; from < people.length; from += 100) {
    const some = people.slice(from, from + 100)
    await db.insertInto('providers').values(some.map(providerRow)).execute()
    const places = some.flatMap(placeRows)
    if (places.length > 0) await db.insertInto('places').values(places).execute()
    const slots = some.flatMap(slotRows)
    for (let n = 0; n < slots.length; n += 2_000) {
      await db
        .insertInto('slots')
        .values(slots.slice(n, n + 2_000))
        .execute()
    }
  }
  await reindexProviders(db, now)
}

/** Deletes all providers. */
export async function deletePeople(db: Db): Promise<void> {
  for (const table of ['search_index', 'search_cells', 'slots', 'places', 'providers'] as const) {
    await db.deleteFrom(table).execute()
  }
}
