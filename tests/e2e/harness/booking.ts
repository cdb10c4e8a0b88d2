import { expect, type Locator, type Page } from '@playwright/test'
import { type Challenge, solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import * as z from 'zod/mini'
import { FreeTimes } from '#contract/availability.ts'
import { OfferedVisitTypes } from '#contract/profiles-own.ts'
import { type OfferedVisitType, SearchResults } from '#contract/search.ts'
import { openDatabase } from '#db/engine.ts'
import { newId } from '#server/kernel/ids.ts'
import { makePasswords } from '#server/kernel/security/passwords.ts'
import { currentSite } from './site.ts'

const PASSWORD = 'seven green bottles'
export const PURPOSE = 'My knee hurts on the stairs, for two weeks now.'

const Answer = z.object({ result: z.object({ data: z.optional(z.unknown()) }) })
const Mailbox = z.object({
  mails: z.array(z.object({ subject: z.string(), text: z.string() })),
})

/** Calls a mutation as the page's browser would. */
export async function act(page: Page, procedure: string, data: object): Promise<unknown> {
  const headers = { origin: currentSite().url, 'sec-fetch-site': 'same-origin' }
  const response = await page.request.post(`/trpc/${procedure}`, { headers, data })
  expect(response.status(), await response.text()).toBe(200)
  return Answer.parse(await response.json()).result.data
}

/** Calls a query as the page's browser would. */
export async function ask(page: Page, procedure: string, input: object): Promise<unknown> {
  const query = encodeURIComponent(JSON.stringify(input))
  const response = await page.request.get(`/trpc/${procedure}?input=${query}`)
  return Answer.parse(await response.json()).result.data
}

/** Emails to an address, newest first, as soon as one matches. */
async function mailTo(page: Page, email: string, pattern: RegExp): Promise<string> {
  let found = ''
  await expect(async () => {
    const response = await page.request.get(`/demo/mailbox.json?to=${encodeURIComponent(email)}`)
    const { mails } = Mailbox.parse(await response.json())
    found = mails.map(({ text }) => pattern.exec(text)?.[1] ?? '').find(Boolean) ?? ''
    expect(found).not.toBe('')
  }).toPass({ intervals: [50, 100, 250] })
  return found
}

/** The captcha's solution, as the widget sends it. */
async function solveCaptcha(page: Page): Promise<string> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as the widget does
  const challenge = (await (await page.request.get('/captcha')).json()) as Challenge
  const solution = await solveChallenge({ challenge, deriveKey })
  return Buffer.from(JSON.stringify({ challenge, solution })).toString('base64')
}

const PRACTICE = {
  region: 'uk',
  registed_with: { professional_body_name: 'GMC', membership_number: '7012345' },
  specialty: 'gp',
  hospital_name: 'Harbour Surgery',
  address: '1 Borough High Street',
  postcode: 'SE1 9GF',
  gender: 'female',
  about: 'I see families, and I take the time that it takes to listen.',
  qualifications: ['MBBS', 'MRCGP'],
  languages: ['cy'],
  amount: 6_000,
  follow_amount: 4_550,
  consultation_minutes: 20,
}

/** Who signs in; each kind has accounts of its own. */
type Credentials = { kind: 'patient' | 'provider'; email: string; password: string }

type NewAccount = Credentials & { lastName: string }

/**
 * Adds a patient called Robin to the site's data, without solving a captcha. `makeAccount` of the harness would load
 * the whole server into the browser tests.
 */
async function addPatient({ email, password, lastName }: NewAccount): Promise<void> {
  const database = openDatabase(`sqlite:${currentSite().dataDir}/apposite.db`)
  const now = Date.now()
  await database.db
    .insertInto('accounts')
    .values({
      id: newId('usr'),
      kind: 'patient',
      email,
      password_hash: await makePasswords().hash(password),
      first_name: 'Robin',
      last_name: lastName,
      phone_number: '020 7946 0000',
      date_of_birth: '1990-02-03',
      email_verified_at: now,
      totp_last_step: 0,
      must_change_password: 0,
      default_radius: 10,
      terms_accepted_at: now,
      created_at: now,
      updated_at: now,
    })
    .execute()
  await database.close()
}

/** Registers somebody called Robin and confirms their address, without the pages. */
export async function registerAccount(page: Page, person: NewAccount): Promise<void> {
  const { kind, email, password, lastName } = person
  const account = {
    first_name: 'Robin',
    last_name: lastName,
    email,
    password,
    phone_number: '020 7946 0000',
    terms: true,
    captchaValue: await solveCaptcha(page),
  }
  await (kind === 'patient'
    ? act(page, 'auth.registerPatient', { ...account, date_of_birth: '1990-02-03' })
    : act(page, 'profiles.registerProvider', { ...account, ...PRACTICE }))
  const token = await mailTo(page, email, /\/verify\/([\w-]{43})/)
  await act(page, 'auth.verifyEmail', { token })
}

/** Creates a confirmed account, for journeys that begin with one. */
export async function createAccount(page: Page, person: NewAccount): Promise<void> {
  if (person.kind === 'patient') await addPatient(person)
  else await registerAccount(page, person)
}

/** Signs somebody in to this browser. */
export async function signInWithoutPage(page: Page, person: Credentials): Promise<void> {
  const { kind, email, password } = person
  await act(page, 'auth.signIn', { email, password, user_type: kind })
}

/** A new patient, unique in the run, with a confirmed address. */
export async function newPatient(page: Page): Promise<{ email: string; password: string }> {
  const account = { email: `${crypto.randomUUID()}@mail.example`, password: PASSWORD }
  await createAccount(page, { kind: 'patient', lastName: 'Reed', ...account })
  return account
}

/** The same, signed in to this browser; returns the email. */
export async function signedInPatient(page: Page): Promise<string> {
  const patient = await newPatient(page)
  await signInWithoutPage(page, { kind: 'patient', ...patient })
  return patient.email
}

/** With fewer free times than this, another test may have taken the nearest of them. */
const MIN_FREE_TIMES = 8

/** A provider with enough free times, and these times. */
async function findFreeTimes(page: Page): Promise<{ id: string; times: FreeTimes }> {
  const input = { selectedRegion: 'uk', postcode: 'SE1 6ET', page: 1 + randomBelow(3) }
  const { results } = SearchResults.parse(await ask(page, 'search.providers', input))
  const { id } = pickOne(results.filter(({ nextFree }) => nextFree !== null))
  const times = FreeTimes.parse(await ask(page, 'availability.freeTimes', { providerId: id }))
  const count = times.days.reduce((sum, { slots }) => sum + slots.length, 0)
  return count >= MIN_FREE_TIMES ? { id, times } : findFreeTimes(page)
}

/** The address of the checkout for a free time that no other test is likely to want. */
export async function findFreeTime(page: Page): Promise<string> {
  const { id, times } = await findFreeTimes(page)
  const { startsAt } = pickOne(times.days.flatMap(({ slots }) => slots))
  return checkoutAt(id, startsAt, times.timeZone)
}

/** The address of a profile whose free times go on into the month after that of the first. */
export async function findTimesInTwoMonths(page: Page): Promise<string> {
  for (let at = 1; at <= 12; at += 1) {
    const input = { selectedRegion: 'uk', postcode: 'SE1 6ET', page: at }
    // One page after the other, until one has a match.
    const { results } = SearchResults.parse(await ask(page, 'search.providers', input))
    for (const { id } of results) {
      const wanted = { providerId: id, days: 42 }
      const { days } = FreeTimes.parse(await ask(page, 'availability.freeTimes', wanted))
      const months = new Set(days.map(({ date }) => date.slice(0, 7)))
      if (months.size > 1) return `/doctor-profile/${id}/1.2`
    }
  }
  throw new Error('No provider has free times in two months.')
}

const Visits = z.object({ visits: z.array(z.object({ id: z.string() })) })

/**
 * Books a visit in this browser, paid by card, for a new patient at some free time of a provider from the day
 * after tomorrow on. Returns its id and the patient's email.
 */
export async function bookVisitWith(
  page: Page,
  providerId: string,
): Promise<{ id: string; email: string }> {
  const email = await signedInPatient(page)
  const input = { providerId, days: 14 }
  const { days, timeZone } = FreeTimes.parse(await ask(page, 'availability.freeTimes', input))
  const later = days.flatMap(({ slots }) => slots).filter(({ startsAt }) => isLater(startsAt))
  await page.goto(checkoutAt(providerId, pickOne(later).startsAt, timeZone))
  await goToPayment(page, email)
  await page.getByRole('button', { name: /^Pay £.* by card$/ }).click()
  await payWith(page, '4242 4242 4242 4242')
  await expect(page.getByRole('heading', { name: 'Booking complete' })).toBeVisible()
  const { visits } = Visits.parse(await ask(page, 'booking.visits', { when: 'coming' }))
  return { id: pickOne(visits).id, email }
}

function isLater(startsAt: string): boolean {
  return Date.parse(startsAt) > Date.now() + 2 * 86_400_000
}

/** A dentist with more than one type of visit, and a free time of the second. */
export async function findSecondType(page: Page): Promise<{ id: string; type: OfferedVisitType }> {
  for (let at = 1; at <= 12; at += 1) {
    const input = { selectedRegion: 'uk', postcode: 'SE1 6ET', specialty: 'dentist', page: at }
    // One page after the other, until one has a match.
    const { results } = SearchResults.parse(await ask(page, 'search.providers', input))
    for (const { id } of results) {
      const types = OfferedVisitTypes.parse(
        await ask(page, 'profiles.visitTypes', { providerId: id }),
      )
      const [, type] = types
      if (type === undefined) continue
      const wanted = { providerId: id, typeId: type.id }
      const times = FreeTimes.parse(await ask(page, 'availability.freeTimes', wanted))
      if (times.days.flatMap(({ slots }) => slots).length >= MIN_FREE_TIMES) return { id, type }
    }
  }
  throw new Error('No provider has a second visit type.')
}

/** The address of the checkout for a provider's time. */
function checkoutAt(id: string, startsAt: string, timeZone: string): string {
  const there = Temporal.Instant.from(startsAt).toZonedDateTimeISO(timeZone)
  const search = new URLSearchParams({
    region: 'uk',
    date: there.toPlainDate().toString(),
    time: there.toPlainTime().toString({ smallestUnit: 'minute' }),
    distance: '1.2',
  })
  return `/appointment/${id}?${search}`
}

function randomBelow(count: number): number {
  return Math.floor(Math.random() * count)
}

function pickOne<Item>(items: readonly Item[]): Item {
  const item = items[randomBelow(items.length)]
  if (item === undefined) throw new Error('There is nothing to choose from.')
  return item
}

/** The code in the newest email that has one. */
export function mailedCode(page: Page, email: string): Promise<string> {
  return mailTo(page, email, /^ {4}(\d{6})$/m)
}

/** The heading of the step. */
export function stepTitle(page: Page) {
  return page.getByRole('heading', { level: 1 })
}

/** From the first step to the payment buttons. */
export async function goToPayment(page: Page, email: string): Promise<void> {
  await page.getByRole('button', { name: 'Next', exact: true }).click()
  await expect(stepTitle(page)).toHaveText('Purpose of your visit')
  await page.getByRole('textbox', { name: 'What would you like help with?' }).fill(PURPOSE)
  await page.getByRole('button', { name: 'Next', exact: true }).click()
  await expect(stepTitle(page)).toHaveText('Confirmation')
  const code = page.getByRole('textbox', { name: 'One-time code' })
  await code.fill(await mailedCode(page, email))
  await expect(page.getByText('Your OTP is verified ✅')).toBeVisible()
}

/** The vendor's card form, in its frame. */
export function cardForm(page: Page) {
  return page.getByTitle('Card payment').contentFrame()
}

/** Types a card number and submits it. */
export async function payWith(page: Page, number: string): Promise<void> {
  const form = cardForm(page)
  await form.getByLabel('Card number').fill(number)
  await form.getByLabel('Expiry date').fill('12 / 34')
  await form.getByLabel('Security code').fill('123')
  await form.getByLabel('Name on card').fill('Robin Reed')
  await form.getByLabel('Postcode or ZIP code').fill('SE1 6ET')
  await form.getByRole('button', { name: /^Pay £/ }).click()
}

/** The number of free times on the tab of a day. */
const TIMES = /(\d+) times?/

/**
 * Chooses by keyboard one of the times on the day with the most of them: the first one may be gone in a minute,
 * and other tests want times too.
 */
export async function chooseLaterTime(within: Locator): Promise<void> {
  const tabs = within.getByRole('tablist', { name: 'Day' }).getByRole('tab')
  await expect(tabs.filter({ hasText: TIMES }).first()).toBeVisible()
  const counts = (await tabs.allInnerTexts()).map((text) => Number(TIMES.exec(text)?.[1] ?? 0))
  const day = tabs.nth(counts.lastIndexOf(Math.max(...counts)))
  await day.press('Enter')
  await expect(day).toHaveAttribute('aria-selected', 'true')
  const times = within.getByRole('button', { name: /^\d\d:\d\d, / })
  await expect(times.first()).toBeVisible()
  await times.nth(randomBelow(await times.count())).press('Enter')
}

/** A provider's free time with the cancellation policy. */
type OfferedTerms = { startsAt: number; freeHours: number; latePercent: number }

const Policy = z.object({
  cancellation: z.object({ freeHours: z.number(), latePercent: z.number() }),
})

/** The same in any order. */
function shuffle<Item>(items: readonly Item[]): Item[] {
  const keyed = items.map((item) => ({ item, at: Math.random() }))
  return keyed.toSorted((a, b) => a.at - b.at).map(({ item }) => item)
}

/**
 * The address of the checkout for a matching free time, of any provider nearby: tests that run at once must not
 * all want the same one's.
 */
export async function findFreeTimeWhere(
  page: Page,
  fits: (offered: OfferedTerms) => boolean,
): Promise<string> {
  for (const at of shuffle([1, 2, 3, 4, 5, 6, 7, 8])) {
    const input = { selectedRegion: 'uk', postcode: 'SE1 6ET', page: at }
    // One page after the other, until one has a match.
    const { results } = SearchResults.parse(await ask(page, 'search.providers', input))
    for (const { id } of shuffle(results)) {
      const { cancellation } = Policy.parse(await ask(page, 'search.provider', { id }))
      const times = FreeTimes.parse(await ask(page, 'availability.freeTimes', { providerId: id }))
      const fitting = times.days
        .flatMap(({ slots }) => slots)
        .filter(({ startsAt }) => fits({ startsAt: Date.parse(startsAt), ...cancellation }))
      if (fitting.length > 0) return checkoutAt(id, pickOne(fitting).startsAt, times.timeZone)
    }
  }
  throw new Error('No free time fits.')
}
