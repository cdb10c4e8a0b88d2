import type { Insertable, Selectable } from 'kysely'
import { toJson } from '#db/columns.ts'
import type { Database } from '#db/engine.ts'
import type { PlaceRow, ProviderRow, VisitTypeRow } from '#db/tables/profiles.ts'
import { reindexProviders } from '#server/search/reindex.ts'
import type { TestApp } from './test-app.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Six slots on each of the next two mornings of the frozen clock, from nine in London. */
function usualSlots(now: number, minutes: number): number[] {
  const slots: number[] = []
  for (const day of [1, 2]) {
    for (let step = 0; step < 6; step += 1) slots.push(now + day * DAY + step * minutes * MINUTE)
  }
  return slots
}

type Provider = Partial<Insertable<ProviderRow>>
type Place = Partial<Insertable<PlaceRow>>

type ProviderOverrides = Provider & {
  /** The main place; more places need `places`. */
  place?: Place
  places?: Place[]
  /** Instants of free slots; two mornings when left out. */
  slots?: number[]
  /** Position of the place of the slots; the main one when left out. */
  slotPlace?: number
}

/** The ids and columns of a provider written to the database. */
export type MadeProvider = {
  no: number
  id: string
  email: string
  placeNos: number[]
}

function providerValues(testApp: TestApp, overrides: Provider): Insertable<ProviderRow> {
  const { newId, now } = testApp.services
  const id = overrides.id ?? newId('prv')
  return {
    id,
    region: 'uk',
    title: 'Dr',
    first_name: 'Amara',
    last_name: 'Okafor',
    gender: 'female',
    // Unique like the id it is made from.
    email: `${id.slice(-6)}@clinic.example`,
    phone: null,
    specialty_no: 1,
    professional_body: 'GMC',
    membership_number: '7000001',
    verification_status: 'Verified',
    verified_at: now() - 30 * DAY,
    photo: null,
    about: 'Everyday health for all ages.',
    qualifications: toJson(['MBBS']),
    languages: toJson(['en']),
    offers_in_person: 1,
    offers_video: 0,
    amount_minor: 6_000,
    follow_amount_minor: 4_000,
    currency: 'GBP',
    consultation_minutes: 30,
    follow_up_policy: 'trust',
    free_cancel_hours: 24,
    late_cancel_percent: 50,
    no_show_percent: 100,
    rating_sum: 0,
    rating_count: 0,
    created_at: now(),
    updated_at: now(),
    ...overrides,
  }
}

/** The first type of visit every provider has, with the provider's own fees and length. */
function firstTypeOf(
  provider: Pick<
    Selectable<ProviderRow>,
    'no' | 'id' | 'consultation_minutes' | 'amount_minor' | 'follow_amount_minor'
  >,
): Insertable<VisitTypeRow> {
  return {
    id: `vtp_${provider.id.slice(4)}`,
    provider_no: provider.no,
    position: 0,
    name: 'Consultation',
    minutes: provider.consultation_minutes,
    first_minor: provider.amount_minor,
    follow_minor: provider.follow_amount_minor,
    mode: 'both',
  }
}

function placeValues(testApp: TestApp, providerNo: number, overrides: Place): Insertable<PlaceRow> {
  return {
    id: testApp.services.newId('plc'),
    provider_no: providerNo,
    position: 0,
    name: 'Borough Practice',
    address: '12 Harper Road',
    locality: 'London',
    postcode: 'SE1 6ET',
    latitude: 51.4965,
    longitude: -0.0985,
    time_zone: 'Europe/London',
    phone: null,
    ...overrides,
  }
}

/**
 * A Verified GP in Borough, London, with free times on the next two mornings, listed in the
 * search. Every column can be overridden.
 */
export async function makeProvider(
  testApp: TestApp,
  overrides: ProviderOverrides = {},
): Promise<MadeProvider> {
  const { place, places, slots, slotPlace = 0, ...columns } = overrides
  const { db } = testApp.database
  const provider = await db
    .insertInto('providers')
    .values(providerValues(testApp, columns))
    .returningAll()
    .executeTakeFirstOrThrow()
  await db.insertInto('visit_types').values(firstTypeOf(provider)).execute()
  const placeNos: number[] = []
  for (const [position, one] of (places ?? [place ?? {}]).entries()) {
    const values = placeValues(testApp, provider.no, { position, ...one })
    const row = await db
      .insertInto('places')
      .values(values)
      .returning('no')
      .executeTakeFirstOrThrow()
    placeNos.push(row.no)
  }
  const minutes = provider.consultation_minutes
  await addSlots(
    testApp,
    { no: provider.no, placeNo: placeNos[slotPlace] ?? 0, minutes },
    slots ?? usualSlots(testApp.services.now(), minutes),
  )
  await reindexProviders(db, testApp.services.now(), [provider.no])
  return { no: provider.no, id: provider.id, email: provider.email, placeNos }
}

/** Changes the length of all visits and leaves slots as they are. */
export async function setVisitLength({ db }: Pick<Database, 'db'>, minutes: number): Promise<void> {
  await db.updateTable('providers').set({ consultation_minutes: minutes }).execute()
  await db.updateTable('visit_types').set({ minutes }).execute()
}

async function addSlots(
  testApp: TestApp,
  at: { no: number; placeNo: number; minutes: number },
  instants: number[],
): Promise<void> {
  if (instants.length === 0) return
  await testApp.database.db
    .insertInto('slots')
    .values(
      instants.map((instant) => ({
        provider_no: at.no,
        start_at: instant,
        place_no: at.placeNo,
        minutes: at.minutes,
        free: 1 as const,
      })),
    )
    .execute()
}

const england = { admin: 'ENG', admin_name: 'England' }
const wales = { admin: 'WLS', admin_name: 'Wales' }

/**
 * Adds places around Elephant and Castle in London, so that the postcode SE1 6ET is known, and some towns.
 */
export async function addPlaces(testApp: TestApp): Promise<void> {
  const { db } = testApp.database
  const point = { latitude: 51.4965, longitude: -0.0985 }
  await db
    .insertInto('geo_uk_sectors')
    .values({ sector: 'SE1 6', outcode: 'SE1', postcodes: 100, ...point })
    .execute()
  await db
    .insertInto('geo_uk_outcodes')
    .values({ code: 'SE1', level: 'outcode', postcodes: 100, near: 'London', ...point })
    .execute()
  const place = { region: 'uk' as const, is_alias: 0 as const, near: 'SE1', ...point }
  await db
    .insertInto('geo_places')
    .values([
      {
        ...place,
        id: 1,
        key: 'manchester',
        name: 'Manchester',
        ...england,
        population: 550_000,
        rank: 550_000,
      },
      {
        ...place,
        id: 2,
        key: 'newport',
        name: 'Newport',
        ...wales,
        population: 300_000,
        rank: 300_000,
      },
      {
        ...place,
        id: 3,
        key: 'newport',
        name: 'Newport',
        ...england,
        population: 25_000,
        rank: 25_000,
      },
    ])
    .execute()
}
