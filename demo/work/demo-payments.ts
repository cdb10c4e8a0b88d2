import type { BankAccountType } from '#contract/bank-accounts.ts'
import { referenceOf } from '#contract/base/ids.ts'
import { DAY_MS } from '#contract/base/time.ts'
import { toFlag, wallClock } from '#db/columns.ts'
import type { Database, Db } from '#db/engine.ts'
import { DEMO_PROVIDER, DEMO_US_PROVIDER } from '#db/reference/demo.ts'
import type { BankAccountRow, PaymentDifferenceRow } from '#db/tables/payments.ts'
import { idFrom } from '#demo/random.ts'
import { seedOnce } from '#demo/store.ts'

const BANK_ACCOUNTS_KEY = 'demo_bank_accounts'

type AccountSeed = {
  provider: string
  name: string
  account_type: BankAccountType | null
  code: string
  number: string
}

/**
 * Test numbers that banks and gateways print in their manuals; they belong to nobody and pass every check.
 */
const ACCOUNTS: readonly AccountSeed[] = [
  {
    provider: DEMO_PROVIDER,
    name: 'Riverside Family Practice',
    account_type: null,
    code: '108800',
    number: '00012345',
  },
  {
    provider: DEMO_PROVIDER,
    name: 'Amara Bennett',
    account_type: null,
    code: '200000',
    number: '12345678',
  },
  {
    provider: DEMO_US_PROVIDER,
    name: 'Live Oak Family Medicine',
    account_type: 'checking',
    code: '110000000',
    number: '000123456789',
  },
]

type SealedNumbers = Pick<BankAccountRow, 'sealed' | 'key_id' | 'fingerprint'>

type Options = {
  now: number
  /** Passed in: encryption does not belong to database code. */
  seal: (
    of: { id: string; providerId: string },
    numbers: { code: string; number: string },
  ) => SealedNumbers
}

async function writeBankAccounts(db: Db, { now, seal }: Options): Promise<void> {
  const providers = await db
    .selectFrom('providers')
    .select(['no', 'id', 'email'])
    .where(
      'email',
      'in',
      ACCOUNTS.map(({ provider }) => provider),
    )
    .execute()
  const rows = providers.flatMap((provider) =>
    ACCOUNTS.filter((one) => one.provider === provider.email).map((one, at) => {
      const id = idFrom('bnk', `bank account ${one.number}`)
      const { code, number } = one
      return {
        id,
        provider_no: provider.no,
        name: one.name,
        account_type: one.account_type,
        ...seal({ id, providerId: provider.id }, { code, number }),
        add_key: id,
        is_primary: toFlag(at === 0),
        version: 1,
        created_at: now,
        updated_at: now,
      }
    }),
  )
  if (rows.length > 0) await db.insertInto('bank_accounts').values(rows).execute()
}

/**
 * Writes the bank accounts of the demo's providers once, after their profiles. Returns whether this
 * call wrote them.
 */
export async function seedBankAccounts(database: Database, options: Options): Promise<boolean> {
  return seedOnce(database, BANK_ACCOUNTS_KEY, (db) => writeBankAccounts(db, options))
}

const PAYMENTS_KEY = 'demo_payments'
const ADMIN = 'admin@demo.example'

/** Visits of the last weeks that were paid and not refunded, latest first. */
function listRecentVisits(db: Db, now: number) {
  return db
    .selectFrom('bookings as b')
    .innerJoin('payments as y', 'y.no', 'b.paid_by')
    .select(['b.id', 'b.end_at', 'y.no', 'y.gateway', 'y.amount_minor', 'y.currency'])
    .where('b.state', '=', 'confirmed')
    .where('b.end_at', '<', now)
    .where('b.end_at', '>', now - 75 * DAY_MS)
    .orderBy('b.end_at', 'desc')
    .orderBy('b.no')
    .execute()
}

type RecentVisit = Awaited<ReturnType<typeof listRecentVisits>>[number]
type RefundSeed = {
  of: RecentVisit
  minor: number
  note: string
  state: 'done' | 'failed'
  actor: string
}

/** Writes a refund two days after the visit, or an hour ago if that is earlier. */
async function writeRefund(db: Db, { of, minor, note, state, actor }: RefundSeed, now: number) {
  const at = Math.min(now - 3_600_000, of.end_at + 2 * DAY_MS)
  await db
    .insertInto('refunds')
    .values({
      id: idFrom('rfd', `desk ${of.id}`),
      payment_no: of.no,
      key: 'staff:demo',
      reason: 'staff',
      amount_minor: minor,
      currency: of.currency,
      note,
      actor_id: actor,
      state,
      gw_refund: null,
      key_round: 0,
      tries: 1,
      next_try_at: at,
      created_at: at,
      updated_at: at + 40_000,
    })
    .execute()
}

async function writeRefunds(db: Db, actor: string, now: number): Promise<void> {
  const lately = await listRecentVisits(db, now)
  const of = (gateway: RecentVisit['gateway'], nth: number) =>
    lately.filter((one) => one.gateway === gateway)[nth]
  const wanted = [
    [of('stripe', 1), 0.5, 'done', 'The visit ended after ten minutes: half of the fee goes back.'],
    [of('paypal', 1), 1, 'done', 'The practice had lost power and saw nobody that day.'],
    [of('stripe', 4), 1, 'failed', 'Booked twice by mistake, as the practice confirms.'],
  ] as const
  for (const [one, part, state, note] of wanted) {
    if (one === undefined) continue
    const minor = Math.round(one.amount_minor * part)
    await writeRefund(db, { of: one, minor, note, state, actor }, now)
  }
}

/** Free times of next week of the demo's first provider. */
function listFree(db: Db, now: number) {
  return db
    .selectFrom('slots as s')
    .innerJoin('providers as p', 'p.no', 's.provider_no')
    .innerJoin('places as l', 'l.no', 's.place_no')
    .selectAll('p')
    .select(['s.start_at', 's.minutes', 's.place_no', 'l.time_zone'])
    .where('p.email', '=', DEMO_PROVIDER)
    .where('s.free', '=', 1)
    .where('s.start_at', '>', now + 3 * DAY_MS)
    .orderBy('s.start_at')
    .limit(12)
    .execute()
}

type Free = Awaited<ReturnType<typeof listFree>>[number]
type MismatchedPayment = { free: Free; patientNo: number; minor: number; currency: string }

/** A payment that differs from what was asked for; its time was released meanwhile. */
async function writePaymentInReview(
  db: Db,
  { free, patientNo, minor, currency }: MismatchedPayment,
  now: number,
) {
  const at = now - 5 * 3_600_000
  const visit = { visit_type: 'first_visit', follow_up_basis: null } as const
  const id = idFrom('apt', `review ${free.start_at}`)
  const { no: bookingNo } = await db
    .insertInto('bookings')
    .values({
      ...visit,
      id,
      reference: referenceOf(id),
      patient_no: patientNo,
      provider_no: free.no,
      place_no: free.place_no,
      region: free.region,
      start_at: free.start_at,
      end_at: free.start_at + free.minutes * 60_000,
      time_zone: free.time_zone,
      wall_at: wallClock(free.start_at, free.time_zone),
      state: 'released',
      hold_until: at + 900_000,
      pay_by: at + 900_000,
      renewed: 0,
      mode: 'in_person',
      payment_method: 'paypal',
      purpose: '',
      code_at: at,
      first_minor: free.amount_minor,
      follow_minor: free.follow_amount_minor,
      currency: free.currency,
      free_cancel_hours: free.free_cancel_hours,
      late_cancel_percent: free.late_cancel_percent,
      no_show_percent: free.no_show_percent,
      distance: null,
      paid_by: null,
      sequence: 0,
      created_at: at,
      confirmed_at: null,
      closed_at: at + 900_000,
    })
    .returning('no')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('payments')
    .values({
      ...visit,
      id: idFrom('pay', `review ${free.start_at}`),
      booking_no: bookingNo,
      patient_no: patientNo,
      gateway: 'paypal',
      state: 'review',
      amount_minor: free.amount_minor,
      currency: free.currency,
      expires_at: at + 1_860_000,
      gw_session: null,
      gw_payment: null,
      client_secret: null,
      reason: 'mismatch',
      taken_minor: minor,
      taken_currency: currency,
      checked_at: at,
      created_at: at,
      updated_at: at + 120_000,
    })
    .execute()
}

async function writeReviews(db: Db, now: number): Promise<void> {
  const patients = await db
    .selectFrom('accounts')
    .select('no')
    .where('kind', '=', 'patient')
    .where('email', 'like', '%.guest@demo.example')
    .orderBy('no')
    .execute()
  const free = await listFree(db, now)
  // An overpayment, which can be accepted, and another currency, which cannot.
  for (const [n, more, currency] of [
    [0, 1_500, 'GBP'],
    [1, 0, 'EUR'],
  ] as const) {
    const [one, patient] = [free[n * 5 + 2], patients[n]]
    if (one === undefined || patient === undefined) continue
    const minor = one.amount_minor + more
    await writePaymentInReview(db, { free: one, patientNo: patient.no, minor, currency }, now)
  }
}

async function writeDifferences(db: Db, actor: string, now: number): Promise<void> {
  const difference = (
    object: string,
    rest: Pick<PaymentDifferenceRow, 'gateway' | 'kind' | 'amount_minor'> & { daysAgo: number },
  ) => {
    const { daysAgo, ...found } = rest
    const at = now - daysAgo * DAY_MS
    return { ...found, object, payment_no: null, currency: 'GBP', found_at: at, told_at: at }
  }
  const dealt = {
    dealt_by: actor,
    dealt_note: 'A test charge of the bank, reversed by itself the next morning.',
  }
  await db
    .insertInto('payment_differences')
    .values([
      difference('pi_demo_3N8kQ2', {
        gateway: 'stripe',
        kind: 'no_payment',
        amount_minor: 4_500,
        daysAgo: 1,
      }),
      difference('4DX82917LK553920M', {
        gateway: 'paypal',
        kind: 'refund_unknown',
        amount_minor: 2_000,
        daysAgo: 3,
      }),
      {
        ...difference('pi_demo_9T1cW7', {
          gateway: 'stripe',
          kind: 'no_payment',
          amount_minor: 100,
          daysAgo: 9,
        }),
        ...dealt,
        dealt_at: now - 8 * DAY_MS,
      },
    ])
    .execute()
}

/**
 * Writes once, after the demo's visits, the payments staff work on: refunds, a failed one, payments in review and
 * differences. Returns whether this call wrote them.
 */
export async function seedDemoPayments(
  database: Database,
  { now }: { now: number },
): Promise<boolean> {
  return seedOnce(database, PAYMENTS_KEY, async (db) => {
    const desk = await db.selectFrom('accounts').select('id').where('email', '=', ADMIN).execute()
    const actor = desk[0]?.id ?? ''
    await writeRefunds(db, actor, now)
    await writeReviews(db, now)
    await writeDifferences(db, actor, now)
  })
}
