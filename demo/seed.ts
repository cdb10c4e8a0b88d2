import { setTimeout as sleep } from 'node:timers/promises'
import { DAY_MS } from '#contract/base/time.ts'
import { HOMEPAGE_ID } from '#contract/gallery.ts'
import { toJson } from '#db/columns.ts'
import type { Database, Db } from '#db/engine.ts'
import { isBusy } from '#db/failures.ts'
import type { PlaceRow, Provider } from '#db/tables/profiles.ts'
import { type DemoPlaces, drawAreas, readDemoPlaces } from './areas.ts'
import { localSpelling, writeAbout } from './people/about-text.ts'
import { type Person, peopleOf } from './people/people.ts'
import { copyPictures } from './pictures/pictures.ts'
import { fixedArea, offerOf, type Practice, practiceOf, privatePhone } from './practice/practice.ts'
import { demoProviders, planSlots, type Reindex, SLOTS_KEY, writeSlots } from './practice/slots.ts'
import { hash32, idFrom, randomFor, shuffled } from './random.ts'
import { claimMeta, insertMany, readMeta, writeMeta } from './store.ts'

/** A provider ready to be written; numbers come from the database. */
export type Draft = {
  person: Person
  provider: Omit<Provider, 'no' | 'photo'>
  place: Omit<PlaceRow, 'no' | 'provider_no'>
}

const FOR_CHILDREN = new Set(['paediatrician', 'childrens-dentist', 'child-psychiatrist'])

function professionOf(person: Person): string {
  const name = person.specialty.name[person.region]
  return name === 'GP' ? name : name.charAt(0).toLowerCase() + name.slice(1)
}

function aboutOf(person: Person, practice: Practice, offersVideo: boolean): string {
  if (person.fixed !== undefined) return localSpelling(person.fixed.about, person.region)
  const random = randomFor(hash32(`about ${person.region} ${person.index}`))
  return writeAbout(random, {
    region: person.region,
    called: `${person.title} ${person.lastName}`,
    gender: person.gender,
    profession: professionOf(person),
    topics: shuffled(random, person.facts.topics),
    locality: practice.locality.replace(/, [A-Z]{2}$/, ''),
    years: person.years,
    offersVideo,
    isForChildren: FOR_CHILDREN.has(person.specialty.slug),
  })
}

/** Two of three people belong to the association of their profession. */
function societiesOf({ region, index, specialty }: Person): string[] {
  if (index % 3 === 2) return []
  const field = specialty.ukBody === 'GDC' ? 'Dental' : 'Medical'
  return [`${region === 'uk' ? 'British' : 'American'} ${field} Association`]
}

/** Nine in the morning UTC, this many days before `now`. */
function daysBefore(now: number, days: number): number {
  return Math.floor(now / DAY_MS) * DAY_MS - days * DAY_MS + 9 * 3_600_000
}

function draftOf(person: Person, practice: Practice, now: number): Draft {
  const offer = offerOf(person, practice)
  const random = randomFor(hash32(`dates ${person.region} ${person.index}`))
  const checked = random.between(12, 330)
  const createdAt = daysBefore(now, checked + random.between(2, 400))
  return {
    person,
    provider: {
      id: person.id,
      region: person.region,
      title: person.title,
      first_name: person.firstName,
      last_name: person.lastName,
      gender: person.gender,
      email: person.email,
      phone: privatePhone(
        randomFor(hash32(`phone ${person.region} ${person.index}`)),
        person.region,
      ),
      specialty_no: person.specialty.no,
      professional_body: person.body,
      membership_number: person.membershipNumber,
      verification_status: person.isVerified ? 'Verified' : 'Unverified',
      verified_at: person.isVerified ? daysBefore(now, checked) : null,
      about: aboutOf(person, practice, offer.offersVideo),
      qualifications: toJson(person.qualifications),
      affiliations: toJson(societiesOf(person)),
      languages: toJson(person.languages),
      offers_in_person: offer.offersInPerson ? 1 : 0,
      offers_video: offer.offersVideo ? 1 : 0,
      video_link: null,
      licensed_states: null,
      amount_minor: offer.amountMinor,
      follow_amount_minor: offer.followAmountMinor,
      currency: person.region === 'uk' ? 'GBP' : 'USD',
      consultation_minutes: offer.consultationMinutes,
      follow_up_policy: offer.followUpPolicy,
      free_cancel_hours: offer.freeCancelHours,
      late_cancel_percent: offer.lateCancelPercent,
      no_show_percent: offer.noShowPercent,
      // Stars come from reviews, and nobody has written one.
      rating_sum: 0,
      rating_count: 0,
      created_at: createdAt,
      updated_at: createdAt,
    },
    place: {
      id: idFrom('plc', `place ${person.region} ${person.index}`),
      position: 0,
      name: practice.name,
      address: practice.address,
      locality: practice.locality,
      postcode: practice.postcode,
      latitude: practice.latitude,
      longitude: practice.longitude,
      time_zone: practice.timeZone,
      phone: practice.phone,
      removed_at: null,
    },
  }
}

/** Everybody in the demo: always the same people; only dates depend on `now`. */
export function draftProviders(demoPlaces: DemoPlaces, count: number, now: number): Draft[] {
  return (['uk', 'usa'] as const).flatMap((region) => {
    const areas = region === 'uk' ? demoPlaces.sectors : demoPlaces.zips
    const random = randomFor(hash32(`areas ${region}`))
    // Drawn in the order of their codes; shuffled so that no specialty is concentrated in one county.
    const drawn = shuffled(random, drawAreas(random, areas, count))
    return peopleOf(region, count).map((person, index) => {
      const area = fixedArea(person, areas) ?? drawn[index]
      if (area === undefined) throw new Error('fewer areas than providers')
      return draftOf(person, practiceOf(person, area, demoPlaces.ukTowns), now)
    })
  })
}

type SeedOptions = {
  now: number
  mediaFolder: string
  reindex: Reindex
  /** Receives one line before each step that takes a while. */
  report?: (line: string) => void
  /** Stores the pictures and returns their paths by name; tests may run without any. */
  copy?: typeof copyPictures
  /** Providers in each region; 2,000 unless a test wants fewer. At least 30. */
  providersPerRegion?: number
}

const SEED_KEY = 'demo_seed'
const PROVIDERS_PER_REGION = 2000

/** Another process may hold the write lock for longer than a request would wait. */
const MAX_WAIT_MS = 120_000

async function retryWhileBusy<T>(work: () => Promise<T>): Promise<T> {
  const giveUpAt = performance.now() + MAX_WAIT_MS
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!isBusy(error) || performance.now() > giveUpAt) throw error
      await sleep(200)
    }
  }
}

const TYPE_COLUMNS = [
  'id',
  'provider_no',
  'position',
  'name',
  'minutes',
  'first_minor',
  'follow_minor',
  'mode',
]

async function writeProviders(
  handle: { engine: Database['engine']; db: Db },
  drafts: readonly Draft[],
  pictures: ReadonlyMap<string, string>,
): Promise<void> {
  const providers = drafts.map(({ person, provider }) => ({
    ...provider,
    photo: pictures.get(person.picture) ?? null,
  }))
  const [first] = providers
  if (first === undefined) return
  await insertMany(
    handle,
    { table: 'providers', columns: Object.keys(first) },
    providers.map((row) => Object.values(row)),
  )
  const rows = await handle.db.selectFrom('providers').select(['no', 'id']).execute()
  const noOf = new Map(rows.map((row) => [row.id, row.no]))
  const places = drafts.map(({ provider, place }) => {
    const providerNo = noOf.get(provider.id)
    if (providerNo === undefined) throw new Error(`${provider.email} was not written`)
    return { provider_no: providerNo, ...place }
  })
  await insertMany(
    handle,
    { table: 'visit_types', columns: TYPE_COLUMNS },
    drafts.map(({ provider }) => [
      `vtp_${provider.id.slice(4)}`,
      noOf.get(provider.id) ?? 0,
      0,
      'Consultation',
      provider.consultation_minutes,
      provider.amount_minor,
      provider.follow_amount_minor,
      'both',
    ]),
  )
  const [firstPlace] = places
  if (firstPlace === undefined) return
  await insertMany(
    handle,
    { table: 'places', columns: Object.keys(firstPlace) },
    places.map((row) => Object.values(row)),
  )
}

async function writeHomepage(db: Db, pictures: ReadonlyMap<string, string>, now: number) {
  await db
    .insertInto('homepage')
    .values({
      id: HOMEPAGE_ID,
      image_url: pictures.get('hero') ?? null,
      color: '#ffffff',
      modal_image: pictures.get('modal') ?? null,
      show_modal: 1,
      modal_heading: 'See who is free this week',
      modal_description:
        'Enter a postcode or ZIP code and choose a specialty. You will see doctors and dentists near you with their fees and their next free times. There is nothing to pay until you book.',
      updated_at: now,
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
}

async function writeDemo(
  database: Database,
  seeding: { drafts: readonly Draft[]; pictures: ReadonlyMap<string, string>; count: number },
  options: SeedOptions,
): Promise<boolean> {
  const { engine } = database
  return database.transaction(async (db) => {
    if (!(await claimMeta(db, SEED_KEY, String(seeding.count)))) return false
    await writeProviders({ engine, db }, seeding.drafts, seeding.pictures)
    const providers = await demoProviders(db)
    await writeSlots(engine, db, planSlots(providers, options.now, null))
    await writeHomepage(db, seeding.pictures, options.now)
    await writeMeta(db, SLOTS_KEY, String(options.now))
    await options.reindex(
      db,
      options.now,
      providers.map((provider) => provider.no),
    )
    return true
  })
}

/**
 * Seeds an empty database with the demo: providers, places, slots, pictures and the homepage. It is atomic,
 * and happens once however many processes start together; the geo tables must be filled before. Returns
 * whether this call wrote it. Pictures lost since are copied again.
 */
export async function seedDemo(database: Database, options: SeedOptions): Promise<boolean> {
  const { mediaFolder, report = () => undefined } = options
  const { copy = copyPictures } = options
  const pictures = await copy(mediaFolder)
  if ((await readMeta(database.db, SEED_KEY)) !== undefined) return false
  const count = options.providersPerRegion ?? PROVIDERS_PER_REGION
  report(`Making the demo: ${(count * 2).toLocaleString('en-GB')} doctors and dentists`)
  const drafts = draftProviders(await readDemoPlaces(database.db), count, options.now)
  report('Filling their calendars')
  return retryWhileBusy(() => writeDemo(database, { drafts, pictures, count }, options))
}
