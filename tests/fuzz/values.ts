import * as fc from 'fast-check'
import { sql } from 'kysely'
import * as z from 'zod/mini'
import { PASSWORD } from '#tests/harness/accounts.ts'
import type { Person } from '#tests/harness/principals.ts'
import type { TestApp } from '#tests/harness/test-app.ts'

/** Texts that are valid somewhere; the schema decides which of them fit. */
export const PLAUSIBLE = [
  ['Maya', 'Ellis', 'Dr Amara Okafor', 'Ó Súilleabháin', 'A cough that will not go away'],
  ['SE1 6ET', 'SE1', 'EH8 8DX', 'GIR 0AA', '90210', '10001-1234', 'Gaza', 'London'],
  ['maya@mail.example', 'A.B+c@mail.example', 'wanda@xn--bcher-kva.example'],
  ['+44 20 7946 0123', '020 7946 0123', '07700 900123', '(212) 555-0147'],
  ['2026-03-02', '2024-02-29', '2023-02-29', '1900-01-01', '9999-12-31', '1988-04-17'],
  ['2026-03-03T09:00:00Z', '2026-03-29T01:30:00.000Z', '2026-10-25T01:30:00+01:00'],
  ['09:00', '23:59', '24:00', '00:00', '2026-03', 'Europe/London', 'America/New_York'],
  ['0', '1', '10', '25', '-1', '3.4', '60', '6000', '123456', '000000'],
  ['uk', 'usa', 'en', 'en-GB', 'GBP', 'patient', 'provider', 'true', 'false', 'on'],
  ['GMC', 'GDC', 'NPI', '7000001', '01234567', 'Verified', 'Unverified', 'editor'],
  ['general-practice', 'dentist', 'distance', 'price', 'asc', 'desc', 'stripe', 'paypal'],
  ['#0f766e', '20-00-00', '12345678', '021000021', 'GB29NWBK60161331926819'],
  ['A'.repeat(43), '0b8f7c3e-5a44-4f0e-9d57-3c1f1a2b3c4d', PASSWORD, 'a boat on the river'],
  ['Sophie\nBox 7', 'I see people of every age and take the time it needs.'],
].flat()

/** Texts that break careless code. None of them looks like a leak. */
export const NASTY = [
  ['', ' ', '\0', 'a\0b', '\uD800', 'a\uDFFFb', '\uFEFF', '\u202Eabc', '\u200B', '\u{1F9B7}'],
  ["' or '1'='1", '"; --', "'); drop table x; --", '%', '_', '\\', '%27', '%00', '*/*'],
  ['<script>alert(1)</script>', '{{7*7}}', '${7*7}', '=1+1', '../../../etc/passwd', 'C:\\x'],
  ['a\r\nset-cookie: a=b', 'a\nb', '\t', '\u0007', '\u007F', 'é', 'e\u0301', 'İ', 'ß', 'ﬀ'],
  ['__proto__', 'constructor', 'toString', 'null', 'undefined', 'NaN', 'Infinity', '[object]'],
  ['1e309', '-0', '0x10', '１２３', '9007199254740993', '99999999999999999999', '1_000', '+1'],
  ['-9223372036854775809', '0.1', '1,5', '2026-02-30', '2026-13-01', '+275760-09-13', '-000001'],
  ['2026-03-03T25:00:00Z', '-271821-04-20T00:00:00Z', '+275760-09-13T00:00:00Z', '0000-01-01'],
  ['x@y', 'a@b@c.example', '"a b"@mail.example', 'a@[127.0.0.1]', 'ä@mail.example'],
  ['x'.repeat(10_000), 'é'.repeat(300), '\u{1F9B7}'.repeat(200), '('.repeat(500)],
  ['a'.repeat(50).concat('!'), ' '.repeat(2_000).concat('x'), 'http://127.0.0.1:1/', 'data:,x'],
].flat()

/** Numbers at the limits of number types. */
export const NUMBERS = [
  [0, -0, 1, -1, 2, 10, 30, 100, 0.5, 1e-9, 1.000_000_1, 59, 61, 1_440, 6_000],
  [2 ** 31 - 1, 2 ** 31, -(2 ** 31) - 1, 2 ** 32, 2 ** 53 - 1, 2 ** 53, 2 ** 63, -(2 ** 63)],
  [1e21, 1e308, -1e308, Number.MIN_VALUE, Date.parse('2026-03-03T09:00:00Z'), 8.64e15 + 1],
].flat()

type JsonSchema = Readonly<Record<string, unknown>>

/** Longer lists only take more time. */
const MAX_LIST_LENGTH = 40

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

function schemasIn(value: unknown): JsonSchema[] {
  return listOf(value).filter(isRecord)
}

function entriesOf(value: unknown): [string, JsonSchema][] {
  const entries = isRecord(value) ? Object.entries(value) : []
  return entries.map(([name, one]) => [name, isRecord(one) ? one : {}])
}

function numberIn(schema: JsonSchema, word: string, otherwise: number): number {
  const value = schema[word]
  return typeof value === 'number' ? value : otherwise
}

/** Merges several objects; where they share a key, the later one wins. */
function mergeObjects(parts: readonly JsonSchema[]): JsonSchema {
  return Object.fromEntries(parts.flatMap((part) => Object.entries(part)))
}

/** True in a given percentage of the runs. */
export function percent(share: number): fc.Arbitrary<boolean> {
  return fc.oneof(
    { weight: share, arbitrary: fc.constant(true) },
    { weight: 100 - share, arbitrary: fc.constant(false) },
  )
}

/** Includes lists with one item fewer or more than allowed. */
function arrayOf({ items, ...schema }: JsonSchema): fc.Arbitrary<unknown> {
  return fc.array(fromJsonSchema(isRecord(items) ? items : {}), {
    minLength: Math.max(0, numberIn(schema, 'minItems', 0) - 1),
    maxLength: 1 + Math.min(numberIn(schema, 'maxItems', 4), MAX_LIST_LENGTH),
  })
}

/** Objects with the given arbitraries as field values; without `required`, all fields are always present. */
function objectOf(
  fields: readonly (readonly [string, fc.Arbitrary<unknown>])[],
  required: readonly unknown[] = fields.map(([name]) => name),
): fc.Arbitrary<Record<string, unknown>> {
  const model: Record<string, fc.Arbitrary<unknown>> = {}
  for (const [name, values] of fields) model[name] = values
  const requiredKeys = Object.keys(model).filter((name) => required.includes(name))
  return fc.record(model, { requiredKeys, noNullPrototype: true })
}

/** fast-check favours the limits of a range, which here includes the values one beyond each limit. */
function numberOf(schema: JsonSchema): fc.Arbitrary<number> {
  const min = Math.ceil(numberIn(schema, 'minimum', 0))
  const max = Math.max(min, Math.floor(numberIn(schema, 'maximum', min + 100)))
  const whole = fc.integer({ min: min - 1, max: max + 1 })
  const inside = schema['type'] === 'integer' ? whole : fc.oneof(whole, fc.double({ min, max }))
  return fc.oneof(
    { weight: 9, arbitrary: inside },
    { weight: 1, arbitrary: fc.constantFrom(...NUMBERS) },
  )
}

/** Plausible texts that fit the schema; otherwise texts that match its pattern, or random ones. */
function textOf(schema: JsonSchema): fc.Arbitrary<string> {
  const pattern = typeof schema['pattern'] === 'string' ? new RegExp(schema['pattern'], 'u') : null
  const minLength = numberIn(schema, 'minLength', 0)
  const maxLength = numberIn(schema, 'maxLength', Math.max(minLength, 200))
  const fitting = PLAUSIBLE.filter((text) => {
    return text.length >= minLength && text.length <= maxLength && (pattern?.test(text) ?? true)
  })
  const any = fc.string({ unit: 'binary', minLength, maxLength: maxLength + 1 })
  if (fitting.length === 0) return pattern === null ? any : fc.stringMatching(pattern)
  return fc.oneof(
    { weight: 9, arbitrary: fc.constantFrom(...fitting) },
    { weight: 1, arbitrary: any },
  )
}

function fromJsonSchema(schema: JsonSchema): fc.Arbitrary<unknown> {
  if ('const' in schema) return fc.constant(schema['const'])
  if ('enum' in schema) return fc.constantFrom(...listOf(schema['enum']))
  const options = [...schemasIn(schema['anyOf']), ...schemasIn(schema['oneOf'])]
  if (options.length > 0) return fc.oneof(...options.map(fromJsonSchema))
  const parts = schemasIn(schema['allOf'])
  if (parts.length > 0) return fromJsonSchema(mergeObjects(parts))
  switch (schema['type']) {
    case 'object':
      return objectOf(
        entriesOf(schema['properties']).map(([name, one]) => [name, fromJsonSchema(one)]),
        listOf(schema['required']),
      )
    case 'array':
      return arrayOf(schema)
    case 'string':
      return textOf(schema)
    case 'integer':
    case 'number':
      return numberOf(schema)
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    default:
      return fc.oneof(textOf({}), fc.jsonValue())
  }
}

/** Values that the schema accepts, or that lie just beyond its limits. */
export function fromSchema(schema: z.ZodMiniType): fc.Arbitrary<unknown> {
  return fromJsonSchema(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }))
}

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
