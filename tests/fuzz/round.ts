import * as fc from 'fast-check'
import { sql } from 'kysely'
import * as z from 'zod/mini'
import { holdSlot } from '#server/booking/hold/hold-slot.ts'
import { jobsFor } from '#server/jobs/registry.ts'
import { AppError } from '#server/kernel/errors.ts'
import { startCard, startWallet } from '#server/payments/paying/start-payment.ts'
import { signedInAs } from '#tests/harness/accounts.ts'
import { addPlaces } from '#tests/harness/people.ts'
import { makePeople, type Person } from '#tests/harness/principals.ts'
import type { TestSandbox } from '#tests/harness/servers/sandbox.ts'
import type { TestApp } from '#tests/harness/test-app.ts'
import { setRegister } from '#tests/harness/verification.ts'
import { insertVisit, verifyCode } from '#tests/harness/visits.ts'
import { type Caller, percent, type Slot } from './values.ts'

/** The test app, and the gateways beside it. */
export type Site = { testApp: TestApp; sandbox: TestSandbox }

/** A site, and the generator of values for one run of the property. */
export type RoundContext = Site & { g: fc.GeneratorValue }

/** Data that exists during a round of requests. */
export type Round = {
  callers: readonly Caller[]
  /** Values that exist in this database: ids, instants, emailed codes. */
  known: readonly string[]
  slots: readonly Slot[]
}

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

/** Number of newest rows used of each kind, as they are the most likely to be active. */
const NEWEST = 12

const Me = z.object({ result: z.object({ data: z.nullable(z.object({ user_id: z.string() })) }) })

async function withId(person: Person): Promise<Caller> {
  const response = await person.browser.fetch('/trpc/auth.me')
  const me = Me.safeParse(await response.json())
  return { ...person, userId: me.data?.result.data?.user_id ?? null }
}

/** Tables whose ids appear in responses. */
const WITH_IDS = [
  ['accounts', 'providers', 'places', 'bookings', 'payments', 'sessions', 'absences'],
  [
    'access_tokens',
    'calendar_feeds',
    'gallery_images',
    'company_claims',
    'company_documents',
    'registrant_proofs',
    'outbox',
  ],
].flat()

async function idsIn({ database: { db } }: TestApp): Promise<string[]> {
  const ids: string[] = []
  for (const table of WITH_IDS) {
    const newest = sql<{ id: string }>`
      select id from ${sql.table(table)} order by id desc limit ${NEWEST}`
    ids.push(...(await newest.execute(db)).rows.map(({ id }) => id))
  }
  return ids
}

/** Codes and link tokens in the latest emails. */
function codesInMails({ mails }: TestApp): string[] {
  const texts = mails.slice(-NEWEST).map((mail) => JSON.stringify(mail))
  return texts.flatMap((text) => text.match(/\b\d{6}\b|\b[\w-]{43}\b/g) ?? [])
}

async function slotsIn({ database: { db }, services }: TestApp): Promise<Round['slots']> {
  const rows = await db
    .selectFrom('slots')
    .innerJoin('providers', 'providers.no', 'slots.provider_no')
    .select(['providers.id', 'slots.start_at'])
    .where('slots.free', '=', 1)
    .where('slots.start_at', '>', services.now() + DAY / 2)
    .orderBy('providers.no', 'desc')
    .orderBy('slots.start_at')
    .limit(60)
    .execute()
  return rows.map(({ id, start_at }) => ({
    providerId: id,
    startsAt: new Date(start_at).toISOString(),
  }))
}

/** Accounts of the callers with a valid session or token. */
function accountsOf({ database: { db } }: TestApp, callers: readonly Caller[]) {
  const ids = callers.flatMap(({ userId }) => (userId === null ? [] : [userId]))
  return db.selectFrom('accounts').where('accounts.id', 'in', ids)
}

/** Past visits between these callers, none overlapping for a provider. */
async function addVisits({ testApp, g }: RoundContext, callers: readonly Caller[]): Promise<void> {
  const patients = await accountsOf(testApp, callers)
    .select('no')
    .where('kind', '=', 'patient')
    .execute()
  const providers = await accountsOf(testApp, callers)
    .innerJoin('providers', 'providers.no', 'accounts.provider_no')
    .innerJoin('places', 'places.provider_no', 'providers.no')
    .select(['providers.no', 'providers.id', 'providers.email', 'places.no as placeNo'])
    .execute()
  for (const { placeNo, ...provider } of providers) {
    for (const [at, { no }] of patients.entries()) {
      const days = g(() => fc.constantFrom(-400, -40, -3)) + at / 24
      const startsAt = new Date(testApp.services.now() + days * DAY).toISOString()
      const method = g(() => fc.constantFrom('stripe', 'paypal'))
      const booked = { patientNo: no, startsAt, method }
      if (g(percent, 40)) await insertVisit(testApp, { ...provider, placeNos: [placeNo] }, booked)
    }
  }
}

/** Patients hold times; some confirm their code, and some begin to pay. */
async function addHolds({ testApp, g }: RoundContext, callers: readonly Caller[]): Promise<void> {
  const slots = await slotsIn(testApp)
  const patients = await accountsOf(testApp, callers)
    .select(['no', 'id'])
    .where('kind', '=', 'patient')
    .execute()
  for (const patient of patients) {
    const ctx = signedInAs(testApp.services, patient)
    const hold = await holdSlot(
      ctx,
      g(() => fc.constantFrom(...slots)),
    ).catch(ignoreRefusal)
    if (hold === null || g(percent, 30)) continue
    await verifyCode(ctx, hold.id)
    const terms = {
      holdId: hold.id,
      typeOfVisit: 'first_visit' as const,
      purposeForVisit: 'A cough that will not go away',
      shown: hold.fees.first_visit,
    }
    const start = g(() => fc.constantFrom(startCard, startWallet, null))
    await start?.(ctx, terms)
  }
}

/** Ignores a refusal because somebody else was faster. */
function ignoreRefusal(error: unknown): null {
  if (error instanceof AppError) return null
  throw error
}

/** The fixed data: a known place, and registers that answer. */
export async function addFixedData(testApp: TestApp): Promise<void> {
  await addPlaces(testApp)
  await setRegister(testApp, 'GMC', [{ number: '7000001', name: 'Amara Okafor' }])
  await setRegister(testApp, 'GDC', [{ number: '100001', name: 'Maya Ellis' }])
  await setRegister(testApp, 'NPI', [{ number: '1234567893', name: 'Amara Okafor' }])
}

/** Adds new people, some of them with visits, all newly signed in. */
export async function startRound(site: RoundContext): Promise<Round> {
  const { testApp } = site
  const callers: Caller[] = []
  for (const person of await makePeople(testApp)) callers.push(await withId(person))
  await addVisits(site, callers)
  await addHolds(site, callers)
  return { callers, ...(await readExistingValues(site)) }
}

/** Some patients enter their codes and pay. */
async function advanceBookings({ testApp, sandbox, g }: RoundContext): Promise<void> {
  const { db } = testApp.database
  const held = await db
    .selectFrom('bookings')
    .innerJoin('accounts', 'accounts.no', 'bookings.patient_no')
    .select(['bookings.id', 'accounts.no', 'accounts.id as userId'])
    .where('bookings.state', '=', 'held')
    .where('bookings.code_at', 'is', null)
    .where('bookings.id', 'not in', db.selectFrom('codes').select('object'))
    .execute()
  for (const { id, no, userId } of held) {
    if (g(percent, 70)) await verifyCode(signedInAs(testApp.services, { no, id: userId }), id)
  }
  const open = await db
    .selectFrom('payments')
    .select(['gateway', 'gw_session'])
    .where('state', '=', 'open')
    .execute()
  for (const { gateway, gw_session: session } of open) {
    if (session === null || g(percent, 40)) continue
    if (gateway === 'stripe') sandbox.payByCard(session)
    else
      sandbox.approve(
        session,
        g(() => fc.constantFrom('pay', 'pay', 'decline')),
      )
  }
  await sandbox.deliverDue()
}

/** Reads the data that exists by now. */
export async function readExistingValues(
  site: RoundContext,
): Promise<Pick<Round, 'known' | 'slots'>> {
  const { testApp } = site
  await advanceBookings(site)
  await testApp.drainOutbox()
  const slots = await slotsIn(testApp)
  const instants = slots.slice(0, NEWEST).map(({ startsAt }) => startsAt)
  const { db } = testApp.database
  const sessions = await db
    .selectFrom('payments')
    .select('gw_session')
    .where('gw_session', 'is not', null)
    .orderBy('no', 'desc')
    .limit(NEWEST)
    .execute()
  const orders = sessions.flatMap(({ gw_session: one }) => (one === null ? [] : [one]))
  return {
    slots,
    known: [...(await idsIn(testApp)), ...codesInMails(testApp), ...instants, ...orders],
  }
}

/** Lets time pass and runs every job. */
export async function endRound(testApp: TestApp): Promise<void> {
  testApp.advance(20 * MINUTE)
  const { signal } = new AbortController()
  for (const job of jobsFor(testApp.services.config)) await job.run(testApp.services, signal)
}
