import { expect, test } from 'vitest'
import { referenceOf } from '#contract/base/ids.ts'
import { HistoryPage } from '#contract/payments-history.ts'
import { IncomeByDay } from '#contract/payments-review.ts'
import { wallClock } from '#db/columns.ts'
import type { Database } from '#db/engine.ts'
import { makeAccount, makeProviderAccount } from '#tests/harness/accounts.ts'
import { Browser } from '#tests/harness/browser.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { signInDemoStaff } from '#tests/harness/staff.ts'
import { makeTestApp } from '#tests/harness/test-app.ts'
import { insertRefund, insertVisit } from '#tests/harness/visits.ts'
import { listHistory } from './history.ts'

const INPUT = { page: 1, sort: 'desc', payment_method: 'all', month: 'all' } as const

async function open(database?: Database) {
  const testApp = await makeTestApp(database === undefined ? {} : { database })
  const { provider } = await makeProviderAccount(testApp)
  const other = await makeProviderAccount(testApp)
  const patient = await makeAccount(testApp)
  const browser = new Browser(testApp)
  await browser.signIn({ email: provider.email, kind: 'provider' })
  const visit = (startsAt: string, rest: Partial<Parameters<typeof insertVisit>[2]> = {}) =>
    insertVisit(testApp, provider, { patientNo: patient.no, startsAt, ...rest })
  const ask = (input: object = {}) => browser.ask('payments.providerHistory', input)
  const page = async (input: object = {}) => {
    const { data, code } = await ask(input)
    expect(code).toBeNull()
    return HistoryPage.parse(data)
  }
  return {
    testApp,
    browser,
    provider,
    other: other.provider,
    patient,
    visit,
    ask,
    page,
    [Symbol.asyncDispose]: () => testApp[Symbol.asyncDispose](),
  }
}

const datesOf = ({ appointments }: HistoryPage) => appointments.map(({ date }) => date)

/** Pseudo-random numbers below `limit` that are the same in every run. */
function seededRandom(seed: number) {
  let state = seed
  return (limit: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
}

describeEngines('histories of booked appointments', (makeDatabase) => {
  test('rows are sorted as requested, and paged', async () => {
    await using day = await open(await makeDatabase())
    const zoe = await makeAccount(day.testApp, { first_name: 'Zoe', last_name: 'Abel' })
    const fees = [5_000, 7_000, 1_000, 6_000, 3_000, 2_000]
    for (const [n, minor] of fees.entries()) {
      const patientNo = n % 2 === 0 ? zoe.no : day.patient.no
      await day.visit(`2025-06-1${n}T10:00:00Z`, { minor, patientNo })
    }
    await insertVisit(day.testApp, day.other, {
      patientNo: zoe.no,
      startsAt: '2025-06-10T09:00:00Z',
    })
    const amounts = async (input: object) =>
      (await day.page({ sort_by: 'amount', ...input })).appointments.map(
        ({ amount }) => amount?.minor,
      )
    expect(await amounts({ sort: 'asc' })).toEqual([1_000, 2_000, 3_000, 5_000, 6_000])
    expect(await amounts({ sort: 'asc', page: 2 })).toEqual([7_000])
    expect(await amounts({ sort: 'desc' })).toEqual([7_000, 6_000, 5_000, 3_000, 2_000])
    const {
      appointments,
      total,
      total_pages: pages,
    } = await day.page({ sort_by: 'user_name', sort: 'asc' })
    expect(appointments.map(({ user_name: name }) => name)).toEqual([
      ...Array<string>(3).fill('Zoe Abel'),
      ...Array<string>(2).fill('Maya Ellis'),
    ])
    expect([total, pages]).toEqual([6, 2])
    expect((await day.page({ sort_by: 'amount', month: '07', year: 2025 })).total).toBe(0)
    expect(await day.page({ sort_by: 'date' })).toEqual(await day.page())
    expect((await day.ask({ sort_by: 'password' })).code).toBe('sort_unknown')
  })

  test('a row has the documented fields, with local date and time at the clinic', async () => {
    await using day = await open(await makeDatabase())
    // Half past midnight in London, and still yesterday in UTC.
    const { id } = await day.visit('2025-06-30T23:30:00Z', { method: 'paypal', minor: 4_050 })
    expect(await day.page()).toEqual({
      appointments: [
        {
          id,
          reference: referenceOf(id),
          user_name: 'Maya Ellis',
          doctor_name: 'Dr Amara Okafor',
          date: '2025-07-01',
          start_time: '00:30',
          mode: 'in_person',
          place: null,
          amount: { minor: 4_050, currency: 'GBP' },
          payment_method: 'paypal',
          doctor_region: 'uk',
          state: 'confirmed',
          refunded: null,
        },
      ],
      current_page: 1,
      total_pages: 1,
      total: 1,
    })
  })

  test('pages of five, latest first or oldest first, and nothing past the end', async () => {
    await using day = await open(await makeDatabase())
    for (const n of ['01', '02', '03', '04', '05', '06', '07']) {
      await day.visit(`2025-${n}-11T10:00:00Z`)
    }
    expect(datesOf(await day.page())).toEqual(
      ['07', '06', '05', '04', '03'].map((n) => `2025-${n}-11`),
    )
    const second = await day.page({ page: 2 })
    expect(second).toMatchObject({ current_page: 2, total_pages: 2, total: 7 })
    expect(datesOf(second)).toEqual(['2025-02-11', '2025-01-11'])
    expect(datesOf(await day.page({ page: 2, sort: 'asc' }))).toEqual(['2025-06-11', '2025-07-11'])
    expect(await day.page({ page: 9 })).toEqual({
      appointments: [],
      current_page: 9,
      total_pages: 2,
      total: 7,
    })
  })

  test('year, month and method filter it; months are local to the clinic', async () => {
    await using day = await open(await makeDatabase())
    await day.visit('2025-06-30T23:30:00Z')
    await day.visit('2025-06-30T22:30:00Z', { method: 'paypal' })
    await day.visit('2024-07-09T10:00:00Z')
    expect(datesOf(await day.page({ year: 2025 }))).toEqual(['2025-07-01', '2025-06-30'])
    expect(datesOf(await day.page({ year: 2025, month: '07' }))).toEqual(['2025-07-01'])
    expect(datesOf(await day.page({ year: 2025, month: '06' }))).toEqual(['2025-06-30'])
    expect(datesOf(await day.page({ payment_method: 'paypal' }))).toEqual(['2025-06-30'])
    expect((await day.page({ year: 2025, month: '06', payment_method: 'stripe' })).total).toBe(0)
    for (const year of [999, 10_000, -5, 0, 9_007_199_254_740_991]) {
      expect(await day.page({ year })).toMatchObject({ appointments: [], total_pages: 0 })
    }
    expect((await day.page({ year: 9_999, month: '12' })).total).toBe(0)
  })

  test('excludes others’ visits and holds', async () => {
    await using day = await open(await makeDatabase())
    await insertVisit(day.testApp, day.other, {
      patientNo: day.patient.no,
      startsAt: '2025-05-01T09:00:00Z',
    })
    await day.visit('2026-03-09T09:00:00Z', { state: 'held' })
    expect(await day.page()).toMatchObject({ appointments: [], total: 0, total_pages: 0 })
    const everybody = await listHistory(day.testApp.context(), 'everybody', INPUT)
    expect(everybody).toMatchObject({ total: 1, total_pages: 1 })
  })

  test('a cancelled visit stays, with its refund', async () => {
    await using day = await open(await makeDatabase())
    const { paymentNo } = await day.visit('2025-05-01T09:00:00Z', { state: 'cancelled' })
    await insertRefund(day.testApp, { no: paymentNo, minor: 3_000 }, { reason: 'cancelled' })
    expect((await day.page()).appointments[0]).toMatchObject({
      state: 'cancelled',
      amount: { minor: 6_000 },
      refunded: { minor: 3_000, currency: 'GBP' },
    })
  })

  test('rows of an erased account stay, without the name', async () => {
    await using day = await open(await makeDatabase())
    await day.visit('2025-05-01T09:00:00Z')
    await day.testApp.database.db
      .updateTable('accounts')
      .set({ first_name: '', last_name: '', erased_at: day.testApp.services.now() })
      .where('no', '=', day.patient.no)
      .execute()
    expect((await day.page()).appointments[0]).toMatchObject({
      user_name: null,
      amount: { minor: 6_000 },
    })
  })

  test('the monthly counts match the bookings, whatever happens to them', async () => {
    const database = await makeDatabase()
    await using day = await open(database)
    const roll = seededRandom(7)
    const made: number[] = []
    const { db } = database
    for (let step = 0; step < 220; step += 1) {
      const provider = roll(2) === 0 ? day.provider : day.other
      const startsAt = new Date(Date.UTC(2024, roll(24), 1 + roll(28), roll(24))).toISOString()
      const no = made[roll(made.length)] ?? 0
      const act = made.length < 20 ? 0 : roll(6)
      if (act <= 1) {
        const state = (['held', 'confirmed', 'cancelled'] as const)[roll(3)] ?? 'held'
        const method = roll(2) === 0 ? 'stripe' : 'paypal'
        const patientNo = day.patient.no
        const row = await insertVisit(day.testApp, provider, { patientNo, startsAt, state, method })
        made.push(row.no)
      } else if (act === 2) {
        await db
          .updateTable('bookings')
          .set({ state: 'cancelled' })
          .where('no', '=', no)
          .where('state', '=', 'confirmed')
          .execute()
      } else if (act === 3) {
        const start_at = Date.parse(startsAt)
        const wall_at = wallClock(start_at, 'Europe/London')
        const end_at = start_at + 1_800_000
        const moved = { start_at, end_at, wall_at }
        await db.updateTable('bookings').set(moved).where('no', '=', no).execute()
      } else if (act === 4) {
        const change = { provider_no: provider.no, payment_method: 'paypal' as const }
        await db.updateTable('bookings').set(change).where('no', '=', no).execute()
      } else {
        await db.deleteFrom('payments').where('booking_no', '=', no).execute()
        await db.deleteFrom('bookings').where('no', '=', no).execute()
      }
    }
    const rows = await db
      .selectFrom('bookings')
      .select(['provider_no', 'wall_at', 'payment_method'])
      .where('state', 'in', ['confirmed', 'cancelled'])
      .execute()
    const expected = new Map<string, number>()
    for (const { provider_no, wall_at, payment_method } of rows) {
      const date = new Date(wall_at)
      const month = date.getUTCFullYear() * 12 + date.getUTCMonth()
      for (const scope of [provider_no, 0]) {
        const key = `${scope} ${month} ${payment_method}`
        expected.set(key, (expected.get(key) ?? 0) + 1)
      }
    }
    const counted = new Map<string, number>()
    for (const { scope_no, month, method, n } of await db
      .selectFrom('booking_months')
      .selectAll()
      .execute()) {
      const key = `${scope_no} ${month} ${method}`
      counted.set(key, (counted.get(key) ?? 0) + n)
    }
    expect(rows.length).toBeGreaterThan(20)
    expect(new Map([...counted].filter(([, n]) => n !== 0))).toEqual(expected)
  })

  test('every page of every filter has exactly the right rows, in both orders', async () => {
    await using day = await open(await makeDatabase())
    const roll = seededRandom(11)
    const all: { id: string; wall: number; no: number; method: string; own: boolean }[] = []
    for (let n = 0; n < 90; n += 1) {
      const own = roll(4) > 0
      const method = roll(3) === 0 ? ('paypal' as const) : ('stripe' as const)
      // Few distinct times, so that many rows differ only by number.
      const startsAt = new Date(Date.UTC(2024, roll(4) * 5, 28 + roll(4), roll(3))).toISOString()
      const { id, no } = await insertVisit(day.testApp, own ? day.provider : day.other, {
        patientNo: day.patient.no,
        startsAt,
        method,
      })
      const wall = wallClock(Date.parse(startsAt), 'Europe/London')
      all.push({ id, no, wall, method, own })
    }
    const sum = { pages: 0 }
    for (const scope of ['everybody', { providerNo: day.provider.no }] as const) {
      for (const sort of ['asc', 'desc'] as const) {
        for (const payment_method of ['all', 'stripe', 'paypal'] as const) {
          for (const when of [{}, { year: 2024 }, { year: 2024, month: '06' as const }]) {
            const wanted = all
              .filter((row) => scope === 'everybody' || row.own)
              .filter((row) => payment_method === 'all' || row.method === payment_method)
              .filter((row) => {
                const month = new Date(row.wall).toISOString().slice(0, 7)
                if ('month' in when) return month === '2024-06'
                return 'year' in when ? month.startsWith('2024') : true
              })
              .toSorted((a, b) => (a.wall - b.wall || a.no - b.no) * (sort === 'asc' ? 1 : -1))
              .map(({ id }) => id)
            const input = { ...INPUT, ...when, sort, payment_method }
            const found: string[] = []
            for (let page = 1; page <= Math.ceil(wanted.length / 5) + 1; page += 1) {
              const answer = await listHistory(day.testApp.context(), scope, { ...input, page })
              expect(answer.total).toBe(wanted.length)
              found.push(...answer.appointments.map(({ id }) => id))
              sum.pages += 1
            }
            expect(found).toEqual(wanted)
          }
        }
      }
    }
    expect(sum.pages).toBeGreaterThan(150)
  })
})

test.each([
  [{ month: '03' }, 'year_missing', 'Please enter a year'],
  [{ sort: 'password' }, 'sort_unknown', 'Unknown sort field.'],
  [{ page: 0 }, 'page_invalid', 'Choose a page between 1 and 10,000.'],
  [{ page: 10_001 }, 'page_invalid', 'Choose a page between 1 and 10,000.'],
  [{ page: 1.5 }, 'page_invalid', 'Choose a page between 1 and 10,000.'],
  [{ month: '13', year: 2025 }, 'invalid_input', 'Check the highlighted fields and try again.'],
  [{ year: 2025.5 }, 'invalid_input', 'Check the highlighted fields and try again.'],
  [{ payment_method: 'cash' }, 'invalid_input', 'Check the highlighted fields and try again.'],
  [{ providerId: `prv_${'0'.repeat(26)}` }, 'unknown_field', 'Unknown field.'],
])('%j is refused as %s: “%s”', async (input, code, sentence) => {
  await using day = await open()
  const answer = await day.ask(input)
  expect(answer).toMatchObject({ code, status: 400 })
  expect(answer.message).toBe(sentence)
})

test('a month’s earnings: paid less refunds, for past and upcoming visits', async () => {
  await using day = await open()
  // The test clock is at 9:00 on 2 March 2026.
  await day.visit('2026-03-02T08:00:00Z', { minor: 6_000 })
  await day.visit('2026-03-02T09:30:00Z', { minor: 4_000 })
  await day.visit('2026-03-31T22:30:00Z', { minor: 1_000 })
  await day.visit('2026-03-31T23:30:00Z', { minor: 100 })
  await day.visit('2026-02-28T23:30:00Z', { minor: 10 })
  await day.visit('2026-03-20T10:00:00Z', { state: 'held' })
  const { paymentNo } = await day.visit('2026-03-12T10:00:00Z', { state: 'cancelled' })
  const due = { reason: 'cancelled', state: 'due', tries: 0 } as const
  await insertRefund(day.testApp, { no: paymentNo, minor: 5_000 }, due)
  expect((await day.page()).total).toBe(6)
  expect((await day.browser.ask('payments.earnings', {})).data).toEqual({
    month: '2026-03-01',
    earned: { minor: 7_000, currency: 'GBP' },
    visits: 1,
    coming: { minor: 5_000, currency: 'GBP' },
    comingVisits: 2,
  })
})

describeEngines('the staff income chart', (makeDatabase) => {
  test('thirty days of bookings and income, by each region’s own midnight', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const { provider } = await makeProviderAccount(testApp)
    const { no: patientNo } = await makeAccount(testApp)
    const author = await signInDemoStaff(testApp, 'author')
    const paid = async (at: string, rest: { region?: 'uk' | 'usa'; isFollowUp?: boolean } = {}) => {
      const { no } = await insertVisit(testApp, provider, {
        patientNo,
        startsAt: '2026-04-01T09:00:00Z',
        ...rest,
      })
      await testApp.database.db
        .updateTable('bookings')
        .set({ confirmed_at: Date.parse(at) })
        .where('no', '=', no)
        .execute()
    }
    await paid('2026-03-02T08:59:00Z')
    await paid('2026-03-02T00:00:00Z')
    // Still the evening before in New York.
    await paid('2026-03-02T04:59:00Z', { region: 'usa' })
    await paid('2026-02-01T00:30:00Z')
    await paid('2026-01-31T23:30:00Z')
    const { data } = await author.ask('payments.incomeByDay', {})
    const { days, ...sum } = IncomeByDay.parse(data)
    expect(days).toHaveLength(30)
    expect(days[0]?.date).toBe('2026-02-01')
    expect(days.filter(({ bookings }) => bookings > 0)).toEqual([
      { date: '2026-02-01', bookings: 1, income: { GBP: 6_000, USD: 0 } },
      { date: '2026-03-01', bookings: 1, income: { GBP: 0, USD: 6_000 } },
      { date: '2026-03-02', bookings: 2, income: { GBP: 12_000, USD: 0 } },
    ])
    expect(sum).toEqual({ bookings: 4, income: { GBP: 18_000, USD: 6_000 } })
  })
})
