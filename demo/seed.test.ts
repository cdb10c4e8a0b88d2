import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, unlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isValid } from 'postcode'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { Email } from '#contract/base/emails.ts'
import { ProviderId } from '#contract/base/ids.ts'
import { LANGUAGES } from '#contract/base/people.ts'
import { Homepage, MediaUrl } from '#contract/gallery.ts'
import { parseJson } from '#db/columns.ts'
import type { Database } from '#db/engine.ts'
import { specialties, specialtyByNo } from '#db/reference/specialties.ts'
import { openWithPlaces } from '#tests/harness/servers/empty-database.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { type DemoPlaces, readDemoPlaces } from './areas.ts'
import { npiCheckDigit } from './credentials.ts'
import { dayIn } from './practice/schedule.ts'
import { ACCOUNT_EMAILS } from './practice/slots.ts'
import { type Draft, draftProviders, seedDemo } from './seed.ts'
import { insertTestAreas } from './test-areas.ts'

const NOW = Date.parse('2026-03-02T09:00:00Z')
const DRAFTED_PER_REGION = 2000

let demoPlaces: DemoPlaces
let drafts: Draft[]

beforeAll(async () => {
  const database = await openWithPlaces()
  try {
    demoPlaces = await readDemoPlaces(database.db)
  } finally {
    await database.close()
  }
  drafts = draftProviders(demoPlaces, DRAFTED_PER_REGION, NOW)
})

const inRegion = (region: 'uk' | 'usa') =>
  drafts.filter((draft) => draft.provider.region === region)

function hashOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex')
}

/** A draft without the dates that depend on the day it was made. */
function withoutDates(list: readonly Draft[]) {
  const undated = { verified_at: 0, created_at: 0, updated_at: 0 }
  return list.map(({ provider, place }) => ({ ...provider, place, ...undated }))
}

function shareIn(list: readonly Draft[], area: RegExp): number {
  return list.filter(({ place }) => area.test(place.postcode)).length / list.length
}

function countIn(state: string): number {
  return inRegion('usa').filter(({ place }) => place.locality.endsWith(`, ${state}`)).length
}

function findByEmail(email: string): Draft | undefined {
  return drafts.find((draft) => draft.provider.email === email)
}

describe('the same people', () => {
  test('are drafted every time', () => {
    expect(hashOf(draftProviders(demoPlaces, DRAFTED_PER_REGION, NOW))).toBe(hashOf(drafts))
  })

  test('are drafted on any other day, with other dates only', () => {
    const later = Date.parse('2027-11-20T23:30:00Z')
    const others = draftProviders(demoPlaces, DRAFTED_PER_REGION, later)
    expect(hashOf(withoutDates(others))).toBe(hashOf(withoutDates(drafts)))
  })
})

describe('identities', () => {
  test('two thousand in each region, all thirty specialties in both', () => {
    for (const region of ['uk', 'usa'] as const) {
      const all = inRegion(region)
      expect(all).toHaveLength(DRAFTED_PER_REGION)
      const counts = Map.groupBy(all, (draft) => draft.provider.specialty_no)
      expect(counts.size).toBe(specialties.length)
      expect(Math.min(...[...counts.values()].map((those) => those.length))).toBeGreaterThan(10)
      expect(counts.get(1)?.length).toBeGreaterThan(200)
    }
  })

  test('ids, addresses and membership numbers are unique', () => {
    for (const pick of [
      ({ provider }: Draft) => provider.id,
      ({ place }: Draft) => place.id,
      ({ provider }: Draft) => provider.email,
      ({ provider: p }: Draft) => `${p.professional_body} ${p.membership_number}`,
    ])
      expect(new Set(drafts.map(pick)).size).toBe(drafts.length)
    for (const { provider: who } of drafts) {
      expect([ProviderId.parse(who.id), Email.parse(who.email)]).toEqual([who.id, who.email])
    }
  })

  test('every membership number has its register’s format, every NPI passes Luhn', () => {
    expect(npiCheckDigit('123456789')).toBe(3)
    const forms = { GMC: /^\d{7}$/, GDC: /^\d{6}$/, NPI: /^\d{10}$/ }
    for (const { provider } of drafts) {
      const { professional_body: body, membership_number: number } = provider
      expect(number).toMatch(forms[body])
      if (provider.region === 'usa') expect(body).toBe('NPI')
      else expect(body).toBe(specialtyByNo(provider.specialty_no).ukBody)
      if (body === 'NPI') expect(npiCheckDigit(number.slice(0, 9))).toBe(Number(number.at(-1)))
    }
  })

  test('about forty are waiting to be verified, the rest have a date', () => {
    const waiting = drafts.filter((draft) => draft.provider.verification_status === 'Unverified')
    expect(waiting.length).toBeGreaterThan(25)
    expect(waiting.length).toBeLessThan(60)
    for (const { provider } of drafts) {
      const isVerified = provider.verification_status === 'Verified'
      expect(provider.verified_at === null).toBe(!isVerified)
      if (provider.verified_at !== null) expect(provider.verified_at).toBeLessThan(NOW)
      expect(provider.created_at).toBeLessThanOrEqual(provider.verified_at ?? NOW)
    }
  })

  test('all speak English, and only languages the search knows', () => {
    const known = new Set<string>(LANGUAGES)
    for (const { provider } of drafts) {
      const languages = parseJson(provider.languages)
      expect(languages[0]).toBe('en')
      expect(new Set(languages).size).toBe(languages.length)
      for (const language of languages) expect(known.has(language)).toBe(true)
    }
  })
})

describe('locations', () => {
  test('every UK postcode is well formed and lies in a sector of the table', () => {
    const sectors = new Set(demoPlaces.sectors.map((sector) => sector.code))
    const wrong = inRegion('uk').filter(
      ({ place: { postcode } }) =>
        !isValid(postcode) ||
        !sectors.has(postcode.slice(0, -2)) ||
        /^BT|[CIKMOV].?$/.test(postcode),
    )
    expect(wrong).toEqual([])
    const zones = new Set(inRegion('uk').map(({ place }) => place.time_zone))
    expect(zones).toEqual(new Set(['Europe/London']))
  })

  test('every ZIP is in the table, with its city and its zone', () => {
    const zips = new Map(demoPlaces.zips.map((zip) => [zip.code, zip]))
    for (const { place } of inRegion('usa')) {
      const zip = zips.get(place.postcode)
      expect([zip?.timeZone, zip?.locality]).toEqual([place.time_zone, place.locality])
      expect(Math.abs(place.latitude - (zip?.latitude ?? 0))).toBeLessThan(0.01)
    }
    expect(new Set(inRegion('usa').map(({ place }) => place.time_zone)).size).toBeGreaterThan(5)
  })

  test('they are spread like the population', () => {
    const live = demoPlaces.sectors.reduce((sum, sector) => sum + sector.weight, 0)
    for (const area of [/^(?:E|EC|N|NW|SE|SW|W|WC)\d/, /^G\d/, /^CF/, /^TR/]) {
      const here = demoPlaces.sectors.filter((sector) => area.test(sector.code))
      const expected = here.reduce((sum, sector) => sum + sector.weight, 0) / live
      expect(Math.abs(shareIn(inRegion('uk'), area) - expected)).toBeLessThan(0.003)
    }
    expect(countIn('CA')).toBeGreaterThan(countIn('OH'))
    expect(countIn('OH')).toBeGreaterThan(countIn('WY'))
  })
})

describe('offers', () => {
  test('fees are plausible, follow-ups cost less', () => {
    for (const { provider } of drafts) {
      const { amount_minor: first, follow_amount_minor: later } = provider
      expect(first).toBeGreaterThanOrEqual(25_00)
      expect(first).toBeLessThanOrEqual(600_00)
      expect(first % 500).toBe(0)
      expect(later).toBeLessThan(first)
      expect(later).toBeGreaterThan(first * 0.4)
      expect(provider.currency).toBe(provider.region === 'uk' ? 'GBP' : 'USD')
      expect(provider.consultation_minutes).toBeGreaterThanOrEqual(10)
      expect(provider.consultation_minutes).toBeLessThanOrEqual(60)
    }
  })

  test('everybody has a complete profile and at least one way to meet', () => {
    for (const { provider, place } of drafts) {
      expect(provider.about.length).toBeGreaterThan(100)
      expect(parseJson(provider.qualifications).length).toBeGreaterThan(0)
      expect(provider.offers_in_person + provider.offers_video).toBeGreaterThan(0)
      for (const text of [provider.first_name, provider.last_name, provider.title]) {
        expect(text).toBeTruthy()
      }
      for (const text of [place.name, place.address, place.locality, place.phone]) {
        expect(text).toBeTruthy()
      }
    }
  })

  test('telephone numbers are reserved ones', () => {
    const kept = /^(?:01632 960\d{3}|020 7946 0\d{3}|01\d\d 49[68] 0\d{3}|029 2018 0\d{3})$/
    for (const { place } of inRegion('uk')) expect(place.phone).toMatch(kept)
    for (const { place } of inRegion('usa')) expect(place.phone).toMatch(/^\(\d{3}\) 555-01\d\d$/)
  })

  test('nobody has stars without reviews', () => {
    const rated = drafts.filter(({ provider }) => provider.rating_sum + provider.rating_count > 0)
    expect(rated).toEqual([])
  })
})

test('the accounts match their description', () => {
  const gp = findByEmail('provider@demo.example')
  const verified = { verification_status: 'Verified' }
  expect(gp?.provider).toMatchObject({ region: 'uk', specialty_no: 1, ...verified })
  expect(gp?.place.postcode).toMatch(/^SE1 /)
  const texan = findByEmail('provider-us@demo.example')
  expect(texan?.provider).toMatchObject(verified)
  expect(texan?.place).toMatchObject({ locality: 'Austin, TX', time_zone: 'America/Chicago' })
  const unverified = { verification_status: 'Unverified', verified_at: null }
  expect(findByEmail('unverified@demo.example')?.provider).toMatchObject(unverified)
})

/** The part of the homepage that the record itself stores. */
const Recorded = z.omit(Homepage, { image_alt: true, image_sizes: true, modal_sizes: true })

const PER_REGION = 40

let mediaFolder: string

beforeAll(async () => {
  mediaFolder = await mkdtemp(join(tmpdir(), 'apposite-media-'))
})

afterAll(async () => {
  await rm(mediaFolder, { recursive: true, force: true })
})

function options(indexed: (readonly number[])[] = []) {
  return {
    now: NOW,
    mediaFolder,
    providersPerRegion: PER_REGION,
    reindex: (_db: Database['db'], _now: number, nos: readonly number[]) => {
      indexed.push(nos)
      return Promise.resolve()
    },
  }
}

const failingReindex = () => Promise.reject(new Error('index broke'))

const localMedia = (path: string) => join(mediaFolder, path.slice('/media/'.length))

describeEngines('the demo', (makeDatabase) => {
  async function withAreas(): Promise<Database> {
    const database = await makeDatabase()
    await insertTestAreas(database)
    return database
  }

  async function seeded(): Promise<Database> {
    const database = await withAreas()
    await seedDemo(database, options())
    return database
  }

  test('is written once, and indexed with it', async () => {
    const database = await withAreas()
    const indexed: (readonly number[])[] = []
    const said: string[] = []
    const report = (line: string) => said.push(line)
    const first = { ...options(indexed), report }
    expect(await seedDemo(database, first)).toBe(true)
    expect(await seedDemo(database, options(indexed))).toBe(false)
    const { db } = database
    const rows = await db.selectFrom('providers').select(['no', 'email']).orderBy('no').execute()
    expect(rows).toHaveLength(PER_REGION * 2)
    // The accounts people sign in as are indexed with their hours.
    const others = rows.filter(({ email }) => !ACCOUNT_EMAILS.includes(email))
    expect(others).toHaveLength(PER_REGION * 2 - 3)
    expect(indexed).toEqual([others.map((row) => row.no)])
    expect(said[0]).toBe('Making the demo: 80 doctors and dentists')
  })

  test('is written once by two processes that start together', async () => {
    const database = await withAreas()
    const outcomes = await Promise.all([1, 2].map(() => seedDemo(database, options())))
    expect(new Set(outcomes)).toEqual(new Set([false, true]))
    const rows = await database.db.selectFrom('providers').select('no').execute()
    expect(rows).toHaveLength(PER_REGION * 2)
  })

  test('is rolled back when a step fails', async () => {
    const database = await withAreas()
    const failing = { ...options(), reindex: failingReindex }
    await expect(seedDemo(database, failing)).rejects.toThrow('index broke')
    expect(await database.db.selectFrom('providers').selectAll().execute()).toEqual([])
    expect(await seedDemo(database, options())).toBe(true)
  })

  test('requires the places to be loaded first', async () => {
    const database = await makeDatabase()
    await expect(seedDemo(database, options())).rejects.toThrow('Load the places first.')
  })

  test('has slots for today and two weeks, in each clinic’s working hours', async () => {
    const database = await seeded()
    const slots = await database.db
      .selectFrom('slots')
      .innerJoin('places', 'places.no', 'slots.place_no')
      .innerJoin('providers', 'providers.no', 'slots.provider_no')
      .select(['start_at', 'minutes', 'free', 'time_zone', 'consultation_minutes'])
      .execute()
    expect(slots.length).toBeGreaterThan(2_000)
    for (const slot of slots) {
      const ahead = dayIn(slot.time_zone, slot.start_at) - dayIn(slot.time_zone, NOW)
      expect(ahead).toBeGreaterThanOrEqual(0)
      expect(ahead).toBeLessThanOrEqual(14)
      const start = Temporal.Instant.fromEpochMilliseconds(slot.start_at)
      const { hour } = start.toZonedDateTimeISO(slot.time_zone)
      expect(hour).toBeGreaterThanOrEqual(8)
      expect(hour).toBeLessThanOrEqual(19)
      expect(slot.minutes).toBe(slot.consultation_minutes)
    }
    const free = slots.filter((slot) => slot.free === 1).length / slots.length
    expect(free).toBeGreaterThan(0.2)
    expect(free).toBeLessThan(0.6)
  })

  test('gives everybody a picture that exists: webp, 320 by 320', async () => {
    const database = await seeded()
    const rows = await database.db.selectFrom('providers').select('photo').distinct().execute()
    expect(rows.length).toBeGreaterThan(50)
    for (const { photo } of rows) {
      const bytes = await readFile(localMedia(MediaUrl.parse(photo)))
      const { format, width, height } = await sharp(bytes).metadata()
      expect([format, width, height]).toEqual(['webp', 320, 320])
    }
    const names = await readdir(mediaFolder)
    expect(names.filter((name) => !/^[0-9a-f]{32}\.webp$/.test(name))).toEqual([])
  })

  test('fills in the homepage, but never overwrites what staff have set', async () => {
    const database = await seeded()
    const row = await database.db.selectFrom('homepage').selectAll().executeTakeFirstOrThrow()
    const page = Recorded.parse({ ...row, show_modal: row.show_modal === 1 })
    expect(page.show_modal).toBe(true)
    expect(page.modal_heading).not.toBe('')
    const sizes = [page.image_url, page.modal_image].map(async (path) => {
      const { width, height } = await sharp(localMedia(path ?? '')).metadata()
      return [width, height]
    })
    expect(await Promise.all(sizes)).toEqual([
      [1600, 1000],
      [960, 540],
    ])
    await database.db.updateTable('homepage').set({ modal_heading: 'Ours' }).execute()
    await seedDemo(database, options())
    const kept = await database.db.selectFrom('homepage').select('modal_heading').execute()
    expect(kept).toEqual([{ modal_heading: 'Ours' }])
  })

  test('copies a lost picture again', async () => {
    const database = await seeded()
    const [provider] = await database.db.selectFrom('providers').select('photo').execute()
    const file = localMedia(provider?.photo ?? '')
    const before = await readFile(file)
    await unlink(file)
    await seedDemo(database, options())
    expect(await readFile(file)).toEqual(before)
  })

  test('does not affect the numbering of new providers', async () => {
    const database = await seeded()
    const {
      photo: _photo,
      no: _no,
      ...row
    } = await database.db.selectFrom('providers').selectAll().limit(1).executeTakeFirstOrThrow()
    const added = await database.db
      .insertInto('providers')
      .values({ ...row, id: 'prv_new', email: 'new@practice.example', photo: null })
      .returning('no')
      .executeTakeFirstOrThrow()
    expect(added.no).toBeGreaterThan(PER_REGION * 2)
  })
})
