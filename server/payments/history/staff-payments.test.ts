import { expect, test } from 'vitest'
import { referenceOf } from '#contract/base/ids.ts'
import { type StaffHistoryInput, StaffPayment } from '#contract/payments.ts'
import { HistoryPage, HistorySheet } from '#contract/payments-history.ts'
import type { Database } from '#db/engine.ts'
import { makeAccount, makeProviderAccount } from '#tests/harness/accounts.ts'
import type { Browser } from '#tests/harness/browser.ts'
import { makePaidVisit, signInProvider } from '#tests/harness/payment-fixture.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { signInDemoStaff } from '#tests/harness/staff.ts'
import { makeTestApp, readAudit, type TestApp } from '#tests/harness/test-app.ts'
import { insertRefund, insertVisit, offerNextDays } from '#tests/harness/visits.ts'
import { listAllHistory } from './staff-payments.ts'

const INPUT: StaffHistoryInput = {
  page: 1,
  sort: 'desc',
  sort_by: 'date',
  payment_method: 'all',
  month: 'all',
  state: 'all',
  region: 'all',
}

async function open(database?: Database) {
  const testApp = await makeTestApp(database === undefined ? {} : { database })
  const { provider } = await makeProviderAccount(testApp)
  const { provider: other } = await makeProviderAccount(testApp)
  await testApp.database.db
    .updateTable('providers')
    .set({ first_name: 'Émile', last_name: 'Zola' })
    .where('no', '=', other.no)
    .execute()
  const maya = await makeAccount(testApp)
  const tom = await makeAccount(testApp, {
    email: 'tom@mail.example',
    first_name: 'Tom',
    last_name: 'Adams',
  })
  const page = async (browser: Browser, input: object = {}) => {
    const { data, code, message } = await browser.ask('payments.staffHistory', input)
    expect([code, message]).toEqual([null, null])
    return HistoryPage.parse(data)
  }
  return {
    testApp,
    provider,
    other,
    maya,
    tom,
    page,
    /** Days of the month of the rows, in order. */
    dates: async (browser: Browser, input: object) =>
      (await page(browser, input)).appointments.map(({ date }) => date?.slice(-2)).join(' '),
    [Symbol.asyncDispose]: () => testApp[Symbol.asyncDispose](),
  }
}

/** What staff of a role see of one payment. */
async function readPayment(testApp: TestApp, role: 'admin' | 'author', id: string) {
  const browser = await signInDemoStaff(testApp, role)
  return StaffPayment.parse((await browser.ask('payments.staffPayment', { id })).data)
}

describeEngines('the staff payment history', (makeDatabase) => {
  test('admins see names, audited per page; editors and authors see none', async () => {
    await using day = await open(await makeDatabase())
    const { testApp, provider, maya } = day
    await insertVisit(testApp, provider, { patientNo: maya.no, startsAt: '2025-06-30T09:00:00Z' })
    await insertVisit(testApp, provider, { patientNo: maya.no, startsAt: '2025-06-30T10:00:00Z' })
    const named = { user_name: 'Maya Ellis', doctor_name: 'Dr Amara Okafor' }
    for (const role of ['superuser', 'admin'] as const) {
      expect(await day.page(await signInDemoStaff(testApp, role))).toMatchObject({
        appointments: [named, named],
        current_page: 1,
        total_pages: 1,
      })
    }
    for (const role of ['editor', 'author'] as const) {
      const browser = await signInDemoStaff(testApp, role)
      const page = await day.page(browser, { sort_by: 'user_name' })
      expect(page.appointments.map((row) => [row.user_name, row.doctor_name])).toEqual([
        [null, null],
        [null, null],
      ])
      expect(await browser.ask('payments.staffHistory', { name: 'Maya' })).toMatchObject({
        code: 'admins_only',
        status: 403,
      })
    }
    const line = { actor_kind: 'staff', details: '{"rows":2,"page":1}' }
    expect(await readAudit(testApp, 'payment.names_read')).toMatchObject([line, line])
  })

  test('a spoken reference finds its appointment, for every role', async () => {
    await using day = await open(await makeDatabase())
    const { testApp, provider, maya } = day
    const visit = { patientNo: maya.no, startsAt: '2025-06-30T09:00:00Z' }
    const { id } = await insertVisit(testApp, provider, visit)
    await insertVisit(testApp, provider, { ...visit, startsAt: '2025-06-30T10:00:00Z' })
    const typed = referenceOf(id).toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o')
    for (const role of ['admin', 'author'] as const) {
      const browser = await signInDemoStaff(testApp, role)
      for (const sort_by of ['date', 'user_name', 'payment_method']) {
        expect(await day.page(browser, { reference: ` ${typed}`, sort_by })).toMatchObject({
          appointments: [{ id, reference: referenceOf(id) }],
          total: 1,
        })
      }
      expect((await day.page(browser, { reference: 'AP-9999-99' })).total).toBe(0)
      expect((await day.page(browser, { reference: 'no reference' })).total).toBe(0)
    }
  })

  test('a gateway’s id finds its appointment, for every role', async () => {
    await using day = await open(await makeDatabase())
    const { testApp, provider, maya } = day
    const visit = { patientNo: maya.no, startsAt: '2025-06-30T09:00:00Z' }
    const { id, paymentNo } = await insertVisit(testApp, provider, visit)
    await insertVisit(testApp, provider, { ...visit, startsAt: '2025-06-30T10:00:00Z' })
    await testApp.database.db
      .updateTable('payments')
      .set({ gw_session: 'cs_test_1', gw_payment: 'pi_1' })
      .where('no', '=', paymentNo)
      .execute()
    for (const role of ['admin', 'author'] as const) {
      const browser = await signInDemoStaff(testApp, role)
      for (const gateway of ['cs_test_1', ' pi_1']) {
        expect(await day.page(browser, { gateway })).toMatchObject({
          appointments: [{ id }],
          total: 1,
        })
      }
      expect((await day.page(browser, { gateway: 'pi_2' })).total).toBe(0)
    }
  })

  test('a full email address finds the visits of its patient or provider, for roles that see names', async () => {
    await using day = await open(await makeDatabase())
    const { testApp, provider, other, maya, tom } = day
    const startsAt = '2025-06-30T09:00:00Z'
    await insertVisit(testApp, provider, { patientNo: maya.no, startsAt })
    const { id } = await insertVisit(testApp, other, { patientNo: tom.no, startsAt })
    const admin = await signInDemoStaff(testApp, 'admin')
    const found = async (input: object) =>
      (await day.page(admin, input)).appointments.map((row) => row.id)
    expect(await found({ email: ' TOM@mail.example' })).toEqual([id])
    expect(await found({ email: 'tom@mail.example', name: 'maya' })).toEqual([])
    expect(await found({ email: 'tom@mail' })).toEqual([])
    const { email } = await testApp.database.db
      .selectFrom('accounts')
      .select('email')
      .where('provider_no', '=', other.no)
      .executeTakeFirstOrThrow()
    expect(await found({ email })).toEqual([id])
    const author = await signInDemoStaff(testApp, 'author')
    for (const path of ['payments.staffHistory', 'payments.printHistory']) {
      expect((await author.ask(path, { email })).code).toBe('admins_only')
    }
  })

  test('the print view has all filtered rows, without names for roles that see none', async () => {
    await using day = await open(await makeDatabase())
    const { testApp, provider, maya } = day
    for (let n = 0; n < 7; n += 1) {
      await insertVisit(testApp, provider, {
        patientNo: maya.no,
        startsAt: `2025-06-1${n}T09:00:00Z`,
        method: n === 0 ? 'paypal' : 'stripe',
      })
    }
    const sheet = async (role: 'admin' | 'author') => {
      const browser = await signInDemoStaff(testApp, role)
      const { data } = await browser.ask('payments.printHistory', { payment_method: 'stripe' })
      return HistorySheet.parse(data)
    }
    const full = await sheet('admin')
    expect([full.appointments.length, full.isCut]).toEqual([6, false])
    expect(full.appointments[0]).toMatchObject({ user_name: 'Maya Ellis', date: '2025-06-16' })
    expect((await sheet('author')).appointments[0]).toMatchObject({ user_name: null })
    const lines = await readAudit(testApp, 'payment.history_printed')
    expect(lines).toMatchObject([{ details: '{"rows":6}' }])
  })

  test('roles that see no names cannot sort by them', async () => {
    await using day = await open(await makeDatabase())
    const { testApp, provider, other, maya, tom } = day
    // Sorted by doctor, the twelfth comes first.
    await insertVisit(testApp, provider, { patientNo: tom.no, startsAt: '2025-06-12T09:00:00Z' })
    await insertVisit(testApp, other, { patientNo: maya.no, startsAt: '2025-06-11T09:00:00Z' })
    const author = await signInDemoStaff(testApp, 'author')
    const admin = await signInDemoStaff(testApp, 'admin')
    for (const sort_by of ['date', 'user_name', 'doctor_name']) {
      expect(await day.dates(author, { sort: 'asc', sort_by })).toBe('11 12')
      expect(await day.dates(author, { sort: 'desc', sort_by })).toBe('12 11')
    }
    expect(await day.dates(admin, { sort: 'asc', sort_by: 'doctor_name' })).toBe('12 11')
  })

  test('names of patients and providers are searched by prefix', async () => {
    await using day = await open(await makeDatabase())
    const { testApp, provider, other, maya, tom } = day
    const admin = await signInDemoStaff(testApp, 'admin')
    const at = (n: number) => `2025-06-${10 + n}T09:00:00Z`
    await insertVisit(testApp, provider, { patientNo: maya.no, startsAt: at(1) })
    await insertVisit(testApp, provider, { patientNo: tom.no, startsAt: at(2) })
    await insertVisit(testApp, other, { patientNo: tom.no, startsAt: at(3) })
    const found = (name: string) => day.dates(admin, { name })
    expect(await found('ada')).toBe('13 12')
    expect(await found('tom adams')).toBe('13 12')
    expect(await found('Adams T')).toBe('13 12')
    expect(await found('émile')).toBe('13')
    expect(await found('Ellis')).toBe('11')
    expect(await found('okafor')).toBe('12 11')
    expect(await found('llis')).toBe('')
    expect(await found('%%')).toBe('')
  })

  test('filters by cancelled, refunded and region', async () => {
    await using day = await open(await makeDatabase())
    const { testApp, provider, maya } = day
    const admin = await signInDemoStaff(testApp, 'author')
    const patientNo = maya.no
    const at = (n: number) => `2025-06-${10 + n}T09:00:00Z`
    await insertVisit(testApp, provider, { patientNo, startsAt: at(1) })
    const cancelled = { patientNo, startsAt: at(2), state: 'cancelled' } as const
    const { paymentNo } = await insertVisit(testApp, provider, cancelled)
    await insertRefund(testApp, { no: paymentNo, minor: 6_000 }, { reason: 'cancelled' })
    await insertVisit(testApp, provider, { patientNo, startsAt: at(3), region: 'usa' })
    const part = await insertVisit(testApp, provider, { patientNo, startsAt: at(4), region: 'usa' })
    await insertRefund(testApp, { no: part.paymentNo, minor: 1_000 }, { reason: 'cancelled' })
    const found = async (input: object) => {
      const { appointments, total } = await day.page(admin, input)
      expect(total).toBe(appointments.length)
      return appointments.map(({ date }) => date?.slice(-2)).join(' ')
    }
    expect(await found({})).toBe('14 13 12 11')
    expect(await found({ state: 'confirmed' })).toBe('14 13 11')
    expect(await found({ state: 'cancelled' })).toBe('12')
    expect(await found({ state: 'refunded' })).toBe('14 12')
    expect(await found({ state: 'refunded', region: 'uk' })).toBe('12')
    expect(await found({ region: 'usa' })).toBe('14 13')
    expect(await found({ region: 'uk', sort: 'asc' })).toBe('11 12')
  })

  test('every page in every order has exactly the right rows', async () => {
    await using day = await open(await makeDatabase())
    const { testApp, provider, other, maya, tom } = day
    let state = 3
    const roll = (limit: number) => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
      return Math.floor((state / 2 ** 32) * limit)
    }
    type Row = Record<StaffHistoryInput['sort_by'], string> & {
      no: number
      id: string
      region: string
    }
    const all: Row[] = []
    for (let n = 0; n < 60; n += 1) {
      const [doctor, doctor_name] = roll(3) === 0 ? [other, 'Zola'] : [provider, 'Okafor']
      const [patient, user_name] = roll(2) === 0 ? [tom, 'Adams'] : [maya, 'Ellis']
      const method = roll(3) === 0 ? ('paypal' as const) : ('stripe' as const)
      const region = roll(3) === 0 ? ('usa' as const) : ('uk' as const)
      const minor = 1_000 * (1 + roll(4))
      const date = new Date(Date.UTC(2024, roll(4) * 5, 28 + roll(3), 12 + roll(3))).toISOString()
      const { id, no } = await insertVisit(testApp, doctor, {
        patientNo: patient.no,
        startsAt: date,
        timeZone: 'UTC',
        method,
        minor,
        region,
      })
      all.push({
        id,
        no,
        date,
        user_name,
        doctor_name,
        amount: `${minor}`,
        payment_method: method,
        region,
      })
    }
    for (const sort_by of [
      'date',
      'amount',
      'user_name',
      'doctor_name',
      'payment_method',
    ] as const) {
      for (const sort of ['asc', 'desc'] as const) {
        for (const rest of [{}, { region: 'usa' }, { payment_method: 'stripe' }] as const) {
          const wanted = all
            .filter((row) => !('region' in rest) || row.region === rest.region)
            .filter((row) => !('payment_method' in rest) || row.payment_method === 'stripe')
            .toSorted((a, b) => {
              const by = a[sort_by] < b[sort_by] ? -1 : a[sort_by] > b[sort_by] ? 1 : 0
              const then = a.date < b.date ? -1 : a.date > b.date ? 1 : a.no - b.no
              return (by || then) * (sort === 'asc' ? 1 : -1)
            })
            .map(({ id }) => id)
          const found: string[] = []
          for (let page = 1; page <= Math.ceil(wanted.length / 5) + 1; page += 1) {
            const input = { ...INPUT, ...rest, sort, sort_by, page }
            const answer = await listAllHistory(testApp.context(), input)
            expect(answer.total).toBe(wanted.length)
            found.push(...answer.appointments.map(({ id }) => id))
          }
          expect([sort_by, sort, rest, found]).toEqual([sort_by, sort, rest, wanted])
        }
      }
    }
  })
})

test.each([
  ['49', { page: 0 }, 'page_invalid', 'Choose a page between 1 and 10,000.'],
  ['49', { page: -1 }, 'page_invalid', 'Choose a page between 1 and 10,000.'],
  ['49', { page: 'abc' }, 'page_invalid', 'Choose a page between 1 and 10,000.'],
  ['49', { page: 1e9 }, 'page_invalid', 'Choose a page between 1 and 10,000.'],
  ['50', { month: '03' }, 'year_missing', 'Please enter a year'],
  ['51', { sort_by: 'password' }, 'sort_unknown', 'Unknown sort field.'],
])('F %s: %j is refused as %s: “%s”', async (_no, input, code, sentence) => {
  await using day = await open()
  const author = await signInDemoStaff(day.testApp, 'author')
  const answer = await author.ask('payments.staffHistory', input)
  expect(answer).toMatchObject({ code, status: 400, message: sentence })
})

test('F 49, 50: a page past the end is empty, and so is a year out of range', async () => {
  await using day = await open()
  const author = await signInDemoStaff(day.testApp, 'author')
  const { testApp, provider, maya } = day
  await insertVisit(testApp, provider, { patientNo: maya.no, startsAt: '2025-06-30T09:00:00Z' })
  for (const sort_by of ['date', 'amount', 'payment_method']) {
    expect(await day.page(author, { page: 10_000, sort_by })).toEqual({
      appointments: [],
      current_page: 10_000,
      total_pages: 1,
      total: 1,
    })
    expect(await day.page(author, { year: 999, sort_by })).toMatchObject({
      appointments: [],
      total_pages: 0,
    })
  }
})

const DAY = 86_400_000
const START = Date.parse('2026-03-05T09:00:00Z')
const day = (n: number) => ({ startsAt: new Date(START + n * DAY).toISOString() })

describeEngines('the timeline of a visit for staff', (makeDatabase) => {
  test('lists the times its provider proposed, and the patient’s response', async () => {
    await using at = await makePaidVisit({ database: await makeDatabase() })
    const { id, caller, testApp } = at
    await offerNextDays(testApp, 2)
    const { caller: provider } = await signInProvider(testApp)
    const propose = async (n: number) => {
      testApp.advance(60_000)
      const note = 'We close early that day.'
      await provider.visits.propose({ id, sequence: 0, slots: [day(n)], note })
      return new Date(testApp.services.now()).toISOString()
    }
    const proposedAt = await propose(1)
    testApp.advance(60_000)
    await caller.visits.keepTime({ id, at: proposedAt })
    await propose(2)
    testApp.advance(60_000)
    await caller.visits.move({ id, sequence: 0, slot: day(2), isProposed: true })
    const read = async (role: 'admin' | 'author') => {
      const { timeline } = await readPayment(testApp, role, id)
      return timeline.filter(({ what }) => /^(?:times_proposed|time_kept|visit_moved)$/.test(what))
    }
    const entries = await read('admin')
    expect(entries.map(({ what, note }) => [what, note])).toEqual([
      ['times_proposed', 'provider'],
      ['time_kept', 'patient'],
      ['times_proposed', 'provider'],
      ['visit_moved', 'proposed'],
    ])
    expect(entries[0]?.at).toBe(proposedAt)
    expect(JSON.stringify(entries)).not.toContain('close early')
    expect((await read('author')).map(({ note }) => note)).toEqual([null, null, null, null])
  })
})

test('distinguishes the patient’s own move from one the provider proposed', async () => {
  await using at = await makePaidVisit()
  const { id, caller, testApp } = at
  await offerNextDays(testApp, 1)
  await caller.visits.move({ id, sequence: 0, slot: day(1) })
  const { timeline } = await readPayment(testApp, 'admin', id)
  const moved = timeline.find(({ what }) => what === 'visit_moved')
  expect(moved?.note).toBe('patient')
})
