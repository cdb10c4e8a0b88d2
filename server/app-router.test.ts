import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { makeAccount, makeProviderAccount, signedInAs } from '#tests/harness/accounts.ts'
import { addAccounts } from '#tests/harness/bank-accounts.ts'
import { Browser, type Outcome } from '#tests/harness/browser.ts'
import { addPlaces } from '#tests/harness/people.ts'
import {
  inputSchema,
  isQuery,
  leavesOf,
  metaOf,
  outputSchema,
  procedurePaths,
  walkSchema,
} from '#tests/harness/procedures.ts'
import { sampleInputs } from '#tests/harness/sample-inputs.ts'
import { makeTestApp, type TestApp } from '#tests/harness/test-app.ts'
import { bookVisit, insertVisit } from '#tests/harness/visits.ts'

/** Public procedures, whose ids belong to nobody. */
const PUBLIC = new Set([
  'availability.freeTimes',
  'booking.checkSlot',
  'booking.hold',
  'messages.contact',
  'profiles.removeFavourite',
  'profiles.saveFavourite',
  'profiles.visitTypes',
  'search.provider',
])

/** Their own tests check that a colleague's or patient's id gets the same response as an unknown one. */
const TESTED_ELSEWHERE = new Set(['superUsers.changeRole', 'superUsers.remove'])

/** Whether only staff may call it: staff who may see a kind of data see it for everybody. */
function isForStaff(path: string): boolean {
  const may = metaOf(path).may
  return !may.includes('patient') && !may.includes('provider')
}

/** Whether the input contains an id of ours, or an order id of a gateway. */
function takesIds(path: string): boolean {
  return walkSchema(inputSchema(path)).some(([way, { pattern }]) => {
    return way === '.orderId' || (typeof pattern === 'string' && /^\^[a-z]{3}_\[/.test(pattern))
  })
}

type Side = 'patient' | 'provider'
type ObjectIds = Record<
  | 'apt'
  | 'dsk'
  | 'hold'
  | 'pay'
  | 'ses'
  | 'pat'
  | 'cal'
  | 'ocl'
  | 'imp'
  | 'plc'
  | 'abs'
  | 'blk'
  | 'xdt'
  | 'bnk'
  | 'vtp'
  | 'order',
  string
>

const unknownId = (prefix: string) => `${prefix}_${'z'.repeat(26)}`
const UNKNOWN: ObjectIds = {
  apt: unknownId('apt'),
  dsk: unknownId('dsk'),
  hold: unknownId('apt'),
  pay: unknownId('pay'),
  ses: unknownId('ses'),
  pat: unknownId('pat'),
  cal: unknownId('cal'),
  ocl: unknownId('ocl'),
  imp: unknownId('imp'),
  plc: unknownId('plc'),
  abs: unknownId('abs'),
  blk: unknownId('blk'),
  xdt: unknownId('xdt'),
  bnk: unknownId('bnk'),
  vtp: unknownId('vtp'),
  order: 'ORDER-OF-NOBODY',
}

type Try = { as: Side; input: (ids: ObjectIds) => object }
const asPatient = (input: Try['input']): Try => ({ as: 'patient', input })
const asProvider = (input: Try['input']): Try => ({ as: 'provider', input })

/** For each procedure that takes ids of an account's own data: the caller's role and the input. */
const tries: Readonly<Record<string, Try>> = {
  'accessTokens.revoke': asPatient(({ pat }) => ({ id: pat })),
  'auth.endSession': asPatient(({ ses }) => ({ id: ses })),
  'availability.addAbsence': asProvider(({ plc, abs }) => ({ placeId: plc, replaces: abs })),
  'availability.addDates': asProvider(({ plc, xdt }) => ({ placeId: plc, replaces: xdt })),
  'availability.explain': asProvider(({ plc }) => ({ placeId: plc })),
  'availability.preview': asProvider(({ plc }) => ({ draft: draftAt(plc) })),
  'availability.addBlock': asProvider(({ blk }) => ({ replaces: blk })),
  'availability.removeBlock': asProvider(({ blk }) => ({ id: blk })),
  'availability.removeAbsence': asProvider(({ abs }) => ({ id: abs })),
  'availability.removeDate': asProvider(({ xdt }) => ({ id: xdt })),
  'availability.saveHours': asProvider(({ plc }) => ({ hours: draftAt(plc).hours })),
  'bankAccounts.edit': asProvider(({ bnk }) => ({ id: bnk })),
  'bankAccounts.makePrimary': asProvider(({ bnk }) => ({ id: bnk })),
  'bankAccounts.remove': asProvider(({ bnk }) => ({ id: bnk })),
  'booking.addDesk': asProvider(({ plc }) => ({ placeId: plc })),
  'booking.cancelDesk': asProvider(({ dsk }) => ({ id: dsk })),
  'booking.desk': asProvider(({ dsk }) => ({ id: dsk })),
  'booking.deskNote': asProvider(({ dsk }) => ({ id: dsk })),
  'booking.editDesk': asProvider(({ dsk }) => ({ id: dsk })),
  'booking.markDesk': asProvider(({ dsk }) => ({ id: dsk })),
  'booking.moveDesk': asProvider(({ dsk }) => ({ id: dsk })),
  'booking.calendar': asPatient(({ apt }) => ({ id: apt })),
  'booking.current': asPatient(({ hold }) => ({ holdId: hold })),
  'booking.describe': asPatient(({ hold }) => ({ holdId: hold })),
  'booking.providerVisit': asProvider(({ apt }) => ({ id: apt })),
  'booking.purpose': asProvider(({ apt }) => ({ id: apt })),
  'booking.renew': asPatient(({ hold }) => ({ holdId: hold })),
  'booking.visit': asPatient(({ apt }) => ({ id: apt })),
  'calendars.revoke': asPatient(({ cal }) => ({ id: cal })),
  'imports.add': asProvider(({ imp }) => ({ importId: imp })),
  'imports.remove': asProvider(({ imp }) => ({ id: imp })),
  'outsideCalendars.change': asProvider(({ ocl }) => ({ id: ocl })),
  'outsideCalendars.readNow': asProvider(({ ocl }) => ({ id: ocl })),
  'outsideCalendars.remove': asProvider(({ ocl }) => ({ id: ocl })),
  'outcomes.answer': asProvider(({ apt }) => ({ id: apt })),
  'outcomes.claimOf': asProvider(({ apt }) => ({ id: apt })),
  'outcomes.contest': asPatient(({ apt }) => ({ id: apt })),
  'outcomes.mark': asProvider(({ apt }) => ({ id: apt })),
  'payments.capture': asPatient(({ order }) => ({ orderId: order })),
  'payments.leave': asPatient(({ hold }) => ({ holdId: hold })),
  'payments.receipt': asPatient(({ pay }) => ({ paymentId: pay })),
  'payments.startCard': asPatient(({ hold }) => ({ holdId: hold })),
  'payments.startWallet': asPatient(({ hold }) => ({ holdId: hold })),
  'payments.status': asPatient(({ order }) => ({ orderId: order })),
  'profiles.archiveVisitType': asProvider(({ vtp }) => ({ typeId: vtp })),
  'profiles.orderVisitTypes': asProvider(({ vtp }) => ({ typeIds: [vtp] })),
  'profiles.saveVisitType': asProvider(({ vtp }) => ({ typeId: vtp })),
  'profiles.editPlace': asProvider(({ plc }) => ({ placeId: plc })),
  'profiles.changePlaceZone': asProvider(({ plc }) => ({ placeId: plc })),
  'profiles.placeZone': asProvider(({ plc }) => ({ placeId: plc })),
  'profiles.makeMainPlace': asProvider(({ plc }) => ({ placeId: plc })),
  'profiles.removePlace': asProvider(({ plc }) => ({ placeId: plc })),
  'visits.cancel': asPatient(({ apt }) => ({ id: apt })),
  'visits.cancelMany': asProvider(({ apt }) => ({ visits: [cancelling(apt)] })),
  'visits.join': asPatient(({ apt }) => ({ id: apt })),
  'visits.keepTime': asPatient(({ apt }) => ({ id: apt })),
  'visits.move': asPatient(({ apt }) => ({ id: apt })),
  'visits.moveAgreed': asProvider(({ apt }) => ({ id: apt })),
  'visits.moveTerms': asPatient(({ apt }) => ({ id: apt })),
  'visits.propose': asProvider(({ apt }) => ({ id: apt })),
  'visits.providerTerms': asProvider(({ apt }) => ({ id: apt })),
  'visits.terms': asPatient(({ apt }) => ({ id: apt })),
  'visits.video': asProvider(({ apt }) => ({ id: apt })),
}

function cancelling(id: string) {
  return { id, sequence: 0, refund: { minor: 6_000, currency: 'GBP' } }
}

function draftAt(placeId: string) {
  const { settings } = z
    .object({ settings: z.unknown() })
    .parse(sampleInputs['availability.saveHours'])
  return { settings, hours: [{ placeId, week: 1, weekday: 1, from: 540, to: 720 }] }
}

const Id = z.object({ id: z.string() })

/** One object of every kind that belongs to another patient or provider. */
async function makeForeignObjects(
  testApp: TestApp,
): Promise<{ ids: ObjectIds; owners: Record<Side, Browser> }> {
  const { db } = testApp.database
  const patient = await makeAccount(testApp)
  const browser = new Browser(testApp, '10.0.9.1')
  await browser.signIn(patient)
  const { provider, account } = await makeProviderAccount(testApp)
  const desk = new Browser(testApp, '10.0.9.2')
  await desk.signIn(account)
  const ctx = signedInAs(testApp.services, patient)
  const apt = await bookVisit(ctx, { providerId: provider.id, startsAt: '2026-03-03T09:00:00Z' })
  const held = await browser.act('booking.hold', {
    providerId: provider.id,
    startsAt: '2026-03-03T10:00:00Z',
  })
  const put = await desk.act('booking.addDesk', {
    ...sampleInputs['booking.addDesk'],
    slot: { startsAt: '2026-03-03T20:00:00Z' },
  })
  const order = 'ORDER-OF-ANOTHER'
  await insertVisit(testApp, provider, {
    patientNo: patient.no,
    startsAt: '2026-03-04T09:00:00Z',
    method: 'paypal',
  })
  await db
    .updateTable('payments')
    .set({ gw_session: order })
    .where('gateway', '=', 'paypal')
    .execute()
  const { id: plc } = await db.selectFrom('places').select('id').executeTakeFirstOrThrow()
  await desk.act('availability.addAbsence', { ...sampleInputs['availability.addAbsence'] })
  await desk.act('availability.addDates', {
    ...sampleInputs['availability.addDates'],
    placeId: plc,
    version: 1,
  })
  await desk.act('availability.addBlock', { ...sampleInputs['availability.addBlock'], version: 2 })
  const [bnk = ''] = await addAccounts(desk, 1)
  const outside = await desk.act('outsideCalendars.add', sampleInputs['outsideCalendars.add'])
  const brought = await desk.act('imports.add', { ...sampleInputs['imports.add'] })
  const made = await browser.act('accessTokens.create', sampleInputs['accessTokens.create'])
  const token = z.object({ token: Id }).parse(made.data).token
  const feed = await browser.act('calendars.create', sampleInputs['calendars.create'])
  const row = (table: 'absences' | 'blocks' | 'extra_dates') =>
    db.selectFrom(table).select('id').executeTakeFirstOrThrow()
  const [session] = await db
    .selectFrom('sessions')
    .select('id')
    .where('account_no', '=', patient.no)
    .execute()
  const ids = {
    apt,
    dsk: Id.parse(put.data).id,
    hold: Id.parse(held.data).id,
    pay: (await db.selectFrom('payments').select('id').executeTakeFirstOrThrow()).id,
    ses: session?.id ?? '',
    pat: token.id,
    cal: z.object({ feed: Id }).parse(feed.data).feed.id,
    ocl: Id.parse(outside.data).id,
    imp: z.object({ importId: z.string() }).parse(brought.data).importId,
    plc,
    abs: (await row('absences')).id,
    blk: (await row('blocks')).id,
    xdt: (await row('extra_dates')).id,
    bnk,
    vtp: `vtp_${provider.id.slice(4)}`,
    order,
  }
  return { ids, owners: { patient: browser, provider: desk } }
}

async function signInAs(testApp: TestApp, side: Side): Promise<Browser> {
  const browser = new Browser(testApp, '10.0.9.3')
  const own =
    side === 'patient' ? await makeAccount(testApp) : (await makeProviderAccount(testApp)).account
  await browser.signIn(own)
  return browser
}

function call(browser: Browser, path: string, input: object): Promise<Outcome> {
  return isQuery(path) ? browser.ask(path, input) : browser.act(path, input)
}

/** Everything a caller can see of a response, except the ids they sent. */
function visibleOf({ status, code, message, issues, data, headers }: Outcome, { apt }: ObjectIds) {
  const text = JSON.stringify(data)?.replaceAll(apt, 'asked for')
  return { status, code, message, issues, data: text, headers: [...headers.keys()] }
}

test('each procedure that takes an id is tested with other people’s ids, is public, or is for staff', () => {
  const taking = procedurePaths.filter(takesIds)
  const free = taking.filter(
    (path) => PUBLIC.has(path) || TESTED_ELSEWHERE.has(path) || isForStaff(path),
  )
  expect(taking.length).toBeGreaterThan(40)
  expect(Object.keys(tries).toSorted()).toEqual(
    taking.filter((path) => !free.includes(path)).toSorted(),
  )
})

test.each(Object.entries(tries))(
  '%s responds to other people’s ids as to unknown ones',
  async (path, { as, input }) => {
    await using testApp = await makeTestApp()
    await addPlaces(testApp)
    const others = await makeForeignObjects(testApp)
    const browser = await signInAs(testApp, as)
    const answers = []
    for (const ids of [others.ids, UNKNOWN]) {
      const answer = await call(browser, path, { ...sampleInputs[path], ...input(ids) })
      answers.push(visibleOf(answer, ids))
    }
    expect(answers[0]).toEqual(answers[1])
    // The owner gets another response, so the id does matter.
    const own = visibleOf(
      await call(others.owners[as], path, { ...sampleInputs[path], ...input(others.ids) }),
      others.ids,
    )
    expect(own).not.toEqual(answers[0])
  },
)

const paths = procedurePaths.toSorted()

/** The roles that may call a procedure, as text. */
function readersOf(path: string): string {
  const may = metaOf(path).may
  return may.includes('visitor') ? 'everybody' : may.join(' ')
}

function describeOutput(path: string): string {
  const keys = leavesOf(outputSchema(path)).map(
    (way) => `  ${way === '' ? '(the answer itself)' : way}`,
  )
  return [`${path}: ${readersOf(path)}`, ...keys].join('\n')
}

// ASVS 8.2.3, 15.3.1: every new field must be reviewed.
test('every field of every response is listed, and who gets it', async () => {
  const text = `${paths.map(describeOutput).join('\n\n')}\n`
  await expect(text).toMatchFileSnapshot('./response-fields.txt')
})

test.each(paths)('%s returns nothing beyond its schema', (path) => {
  const open = walkSchema(outputSchema(path)).filter(([, schema]) => {
    const { type, properties, additionalProperties: more } = schema
    // When `additionalProperties` is left out or empty, any field would pass.
    return type === 'object' && properties !== undefined && more !== false
  })
  expect(open.map(([way]) => way)).toEqual([])
})

/** Field names that must never leave the server. */
const SECRET_FIELDS =
  /(?<!must_change_)password|hash|totp|seal(?!ed|\b)|secret_key|\.no$|account_no|provider_no/i

test('no response has a field for what must not leave the server', () => {
  const found = paths.flatMap((path) =>
    leavesOf(outputSchema(path))
      .filter((way) => SECRET_FIELDS.test(way))
      .map((way) => path + way),
  )
  expect(found).toEqual([])
})
