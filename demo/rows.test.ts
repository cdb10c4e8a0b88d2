import { createHash } from 'node:crypto'
import { isValid } from 'postcode'
import { beforeAll, describe, expect, test } from 'vitest'
import { ProviderId } from '#contract/ids.ts'
import { LANGUAGES } from '#contract/languages.ts'
import { Email } from '#contract/people.ts'
import { parseJson } from '#db/columns.ts'
import { specialties, specialtyByNo } from '#db/reference/specialties.ts'
import { openWithPlaces } from '#tests/harness/servers/empty-database.ts'
import { type DemoPlaces, readDemoPlaces } from './areas.ts'
import { npiCheckDigit } from './credentials.ts'
import { type Draft, draftProviders } from './rows.ts'

const NOW = Date.parse('2026-03-02T09:00:00Z')
const PER_REGION = 2000

let demoPlaces: DemoPlaces
let drafts: Draft[]

beforeAll(async () => {
  const database = await openWithPlaces()
  try {
    demoPlaces = await readDemoPlaces(database.db)
  } finally {
    await database.close()
  }
  drafts = draftProviders(demoPlaces, PER_REGION, NOW)
})

const inRegion = (region: 'uk' | 'usa') =>
  drafts.filter((draft) => draft.provider.region === region)

function hashOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex')
}

/** A draft without the dates that depend on the day it was made. */
function withoutDates(list: readonly Draft[]) {
  return list.map(({ provider, place }) => ({
    ...provider,
    place,
    verified_at: 0,
    created_at: 0,
    updated_at: 0,
  }))
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
    expect(hashOf(draftProviders(demoPlaces, PER_REGION, NOW))).toBe(hashOf(drafts))
  })

  test('are drafted on any other day: only the dates differ', () => {
    const muchLater = draftProviders(demoPlaces, PER_REGION, Date.parse('2027-11-20T23:30:00Z'))
    expect(hashOf(withoutDates(muchLater))).toBe(hashOf(withoutDates(drafts)))
  })
})

describe('who they are', () => {
  test('two thousand in each region, all thirty specialties in both', () => {
    for (const region of ['uk', 'usa'] as const) {
      const all = inRegion(region)
      expect(all).toHaveLength(PER_REGION)
      const counts = Map.groupBy(all, (draft) => draft.provider.specialty_no)
      expect(counts.size).toBe(specialties.length)
      expect(Math.min(...[...counts.values()].map((those) => those.length))).toBeGreaterThan(10)
      expect(counts.get(1)?.length).toBeGreaterThan(200)
    }
  })

  test('ids, addresses and membership numbers are their own', () => {
    const unique = (pick: (draft: Draft) => string) => new Set(drafts.map(pick)).size
    expect(unique((draft) => draft.provider.id)).toBe(drafts.length)
    expect(unique((draft) => draft.place.id)).toBe(drafts.length)
    expect(unique((draft) => draft.provider.email)).toBe(drafts.length)
    expect(unique(({ provider: p }) => `${p.professional_body} ${p.membership_number}`)).toBe(
      drafts.length,
    )
    for (const { provider } of drafts) {
      expect(ProviderId.safeParse(provider.id).success).toBe(true)
      expect(Email.parse(provider.email)).toBe(provider.email)
    }
  })

  test('every membership number has the form of its body, every NPI passes Luhn', () => {
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

describe('where they are', () => {
  test('every UK postcode is well formed and lies in a sector of the table', () => {
    const sectors = new Set(demoPlaces.sectors.map((sector) => sector.code))
    const wrong = inRegion('uk').filter(
      ({ place: { postcode } }) =>
        !isValid(postcode) ||
        !sectors.has(postcode.slice(0, -2)) ||
        /^BT|[CIKMOV].?$/.test(postcode),
    )
    expect(wrong).toEqual([])
    expect(new Set(inRegion('uk').map(({ place }) => place.time_zone))).toEqual(
      new Set(['Europe/London']),
    )
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

  test('they live where people live', () => {
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

describe('what they offer', () => {
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

  test('telephone numbers reach nobody', () => {
    const kept = /^(?:01632 960\d{3}|020 7946 0\d{3}|01\d\d 49[68] 0\d{3}|029 2018 0\d{3})$/
    for (const { place } of inRegion('uk')) expect(place.phone).toMatch(kept)
    for (const { place } of inRegion('usa')) expect(place.phone).toMatch(/^\(\d{3}\) 555-01\d\d$/)
  })

  test('nobody has stars that no review stands behind', () => {
    const rated = drafts.filter(({ provider }) => provider.rating_sum + provider.rating_count > 0)
    expect(rated).toEqual([])
  })
})

test('the accounts are who they are said to be', () => {
  const gp = findByEmail('provider@demo.example')
  expect(gp?.provider).toMatchObject({
    region: 'uk',
    specialty_no: 1,
    verification_status: 'Verified',
  })
  expect(gp?.place.postcode).toMatch(/^SE1 /)
  const texan = findByEmail('provider-us@demo.example')
  expect(texan?.provider.verification_status).toBe('Verified')
  expect(texan?.place).toMatchObject({ locality: 'Austin, TX', time_zone: 'America/Chicago' })
  expect(findByEmail('unverified@demo.example')?.provider).toMatchObject({
    verification_status: 'Unverified',
    verified_at: null,
  })
})
