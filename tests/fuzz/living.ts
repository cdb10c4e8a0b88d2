import * as fc from 'fast-check'
import { sql } from 'kysely'
import type { Person } from '#tests/harness/principals.ts'
import type { TestApp } from '#tests/harness/test-app.ts'
import { isRecord, objectOf } from './from-schema.ts'

/** Somebody, and their id where they have an account. */
export type Caller = Person & { userId: string | null }

export type Slot = { providerId: string; startsAt: string }

/** What means something to the database at one request. */
export type Living = {
  /** What belongs to the caller. */
  own: readonly string[]
  /** Ids, addresses, mailed codes, wherever they belong. */
  known: readonly string[]
  /** A free time that the whole request is about; null when none is left. */
  slot: Slot | null
}

/** The rows of somebody's own, each by how it hangs on the account. */
function ownRows(account: number, provider: number) {
  return sql<{ id: string }>`
    select id from sessions where account_no = ${account}
    union all select id from access_tokens where account_no = ${account}
    union all select id from calendar_feeds where account_no = ${account}
    union all select id from bookings where patient_no = ${account} or provider_no = ${provider}
    union all select id from payments where patient_no = ${account}
    union all select gw_session from payments
      where patient_no = ${account} and gw_session is not null
    union all select id from places where provider_no = ${provider}
    union all select id from absences where provider_no = ${provider}
    union all select id from blocks where provider_no = ${provider}
    union all select id from extra_dates where provider_no = ${provider}
    union all select id from bank_accounts where provider_no = ${provider}
    union all select id from company_documents where provider_no = ${provider}`
}

/** The ids of everything that belongs to somebody, their own first. */
export async function ownOf({ database: { db } }: TestApp, who: Caller): Promise<string[]> {
  if (who.userId === null) return []
  const account = await db
    .selectFrom('accounts')
    .leftJoin('providers', 'providers.no', 'accounts.provider_no')
    .select(['accounts.no', 'accounts.email', 'accounts.provider_no', 'providers.id'])
    .where('accounts.id', '=', who.userId)
    .executeTakeFirst()
  if (account === undefined) return []
  const { rows } = await ownRows(account.no, account.provider_no ?? 0).execute(db)
  const ids = [who.userId, account.email, ...rows.map(({ id }) => id)]
  return account.id === null ? ids : [account.id, ...ids]
}

/** The words that stand for something in the examples of the documentation. */
const FORMS = new Map([
  ['$USER', /^usr_/],
  ['$PROVIDER', /^prv_/],
  ['$ACCOUNT', /^bnk_/],
  ['$CODE', /^\d{6}$/],
  ['$ORDER', /^[0-9A-Z]{17}$|^cs_/],
  ['$SESSION', /^cs_/],
  ['…', /^[\w-]{43}$/],
])

/** What a text could be replaced by: another id, address, code or token of a link. */
function formOf(value: string): RegExp | null {
  const [, prefix] = /^([a-z]{3})_[0-9a-z]{26}$/.exec(value) ?? []
  if (prefix !== undefined) return new RegExp(`^${prefix}_`)
  if (/^\d{6}$/.test(value)) return /^\d{6}$/
  if (/^[0-9A-Z]{17}$|^cs_/.test(value)) return /^[0-9A-Z]{17}$|^cs_/
  if (/^[^@\s]+@[^@\s]+\.example$/.test(value)) return /@/
  return FORMS.get(value) ?? (/^[\w-]{43}$/.test(value) ? /^[\w-]{43}$/ : null)
}

/** The day and the time of a slot as the documented calls have them; London in winter is UTC. */
function ofSlot(value: string, { startsAt, providerId }: Slot): string | null {
  if (value === '$DATE') return startsAt.slice(0, 10).split('-').toReversed().join('/')
  if (value === '$TIME') return startsAt.slice(11, 16)
  return value.startsWith('prv_') || value === '$PROVIDER' ? providerId : null
}

function enlivenedText(value: string, { own, known, slot }: Living): fc.Arbitrary<string> {
  const form = formOf(value)
  const fits = (text: string) => form?.test(text) === true
  const timed = slot === null ? null : ofSlot(value, slot)
  const choices = [
    { weight: 1, from: [value] },
    { weight: 6, from: known.filter(fits) },
    { weight: 20, from: timed === null ? [] : [timed] },
    { weight: 30, from: own.filter(fits) },
  ].filter(({ from }) => from.length > 0)
  return fc.oneof(
    ...choices.map(({ weight, from }) => ({ weight, arbitrary: fc.constantFrom(...from) })),
  )
}

/** Puts what exists in the place of what does not, most of the time. */
export function enlivened(value: unknown, living: Living): fc.Arbitrary<unknown> {
  if (typeof value === 'string') return enlivenedText(value, living)
  if (Array.isArray(value)) return fc.tuple(...value.map((one: unknown) => enlivened(one, living)))
  if (!isRecord(value)) return fc.constant(value)
  const copy = objectOf(
    Object.entries(value).map(([name, one]) => [name, enlivened(one, living)] as const),
  )
  const { slot } = living
  if (slot === null || !('startsAt' in value)) return copy
  return fc.oneof(
    { weight: 4, arbitrary: copy.map((one) => ({ ...one, ...slot })) },
    { weight: 1, arbitrary: copy },
  )
}
