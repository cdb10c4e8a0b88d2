import * as fc from 'fast-check'
import { sql } from 'kysely'
import type { Person } from '#tests/harness/principals.ts'
import type { TestApp } from '#tests/harness/test-app.ts'
import { isRecord, objectOf } from './from-schema.ts'

/** A caller, with the id of their account if they have one. */
export type Caller = Person & { userId: string | null }

export type Slot = { providerId: string; startsAt: string }

/** Values that exist in the database at the time of a request. */
export type ExistingValues = {
  /** Ids that belong to the caller. */
  own: readonly string[]
  /** Ids, addresses and emailed codes of anybody. */
  known: readonly string[]
  /** A free time that the whole request refers to; null when none is left. */
  slot: Slot | null
}

/** All rows that belong to an account, directly or through its provider. */
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

/** Ids of everything that belongs to a caller, their own id first. */
export async function ownIdsOf({ database: { db } }: TestApp, who: Caller): Promise<string[]> {
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

/** Placeholders in the examples of the documentation, by the form of the values they stand for. */
const PLACEHOLDER_PATTERNS = new Map([
  ['$USER', /^usr_/],
  ['$PROVIDER', /^prv_/],
  ['$ACCOUNT', /^bnk_/],
  ['$CODE', /^\d{6}$/],
  ['$ORDER', /^[0-9A-Z]{17}$|^cs_/],
  ['$SESSION', /^cs_/],
  ['…', /^[\w-]{43}$/],
])

/** The form of values that can replace a text: ids, addresses, codes or link tokens. */
function patternOf(value: string): RegExp | null {
  const [, prefix] = /^([a-z]{3})_[0-9a-z]{26}$/.exec(value) ?? []
  if (prefix !== undefined) return new RegExp(`^${prefix}_`)
  if (/^\d{6}$/.test(value)) return /^\d{6}$/
  if (/^[0-9A-Z]{17}$|^cs_/.test(value)) return /^[0-9A-Z]{17}$|^cs_/
  if (/^[^@\s]+@[^@\s]+\.example$/.test(value)) return /@/
  return PLACEHOLDER_PATTERNS.get(value) ?? (/^[\w-]{43}$/.test(value) ? /^[\w-]{43}$/ : null)
}

/** The slot's day or time in the format of the documented calls; London in winter is UTC. */
function slotValue(value: string, { startsAt, providerId }: Slot): string | null {
  if (value === '$DATE') return startsAt.slice(0, 10).split('-').toReversed().join('/')
  if (value === '$TIME') return startsAt.slice(11, 16)
  return value.startsWith('prv_') || value === '$PROVIDER' ? providerId : null
}

function withExistingText(
  value: string,
  { own, known, slot }: ExistingValues,
): fc.Arbitrary<string> {
  const form = patternOf(value)
  const fits = (text: string) => form?.test(text) === true
  const timed = slot === null ? null : slotValue(value, slot)
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

/** Usually replaces values that do not exist with ones that do. */
export function withExistingValues(value: unknown, living: ExistingValues): fc.Arbitrary<unknown> {
  if (typeof value === 'string') return withExistingText(value, living)
  if (Array.isArray(value))
    return fc.tuple(...value.map((one: unknown) => withExistingValues(one, living)))
  if (!isRecord(value)) return fc.constant(value)
  const copy = objectOf(
    Object.entries(value).map(([name, one]) => [name, withExistingValues(one, living)] as const),
  )
  const { slot } = living
  if (slot === null || !('startsAt' in value)) return copy
  return fc.oneof(
    { weight: 4, arbitrary: copy.map((one) => ({ ...one, ...slot })) },
    { weight: 1, arbitrary: copy },
  )
}
