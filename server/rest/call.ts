import * as z from 'zod/mini'
import type { ErrorCode } from '#contract/base/errors.ts'
import type { Money } from '#contract/base/money.ts'
import { toIso } from '#contract/base/time.ts'
import { wallClock } from '#db/columns.ts'
import { createCaller } from '#server/app-router.ts'
import type { Context, Services, Viewer } from '#server/context.ts'
import type { Middleware } from '#server/http/request-context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { assertNoNul, parseInput } from '#server/kernel/wire/input.ts'

/** Every procedure as a typed function, such as `caller.booking.hold(input)`. */
export type Caller = ReturnType<typeof createCaller>

export type RestMethod = 'GET' | 'POST' | 'PATCH' | 'DELETE'

/** Accepted kinds of body: JSON, `text/plain`, or `multipart/form-data`. */
export type BodyKind = 'json' | 'text' | 'form'

type Schema = z.ZodMiniType

/** Human-readable description of a call; the OpenAPI document is generated from it. */
type CallDescription = {
  method: RestMethod
  /** As the specification writes it; served with and without a trailing slash. */
  path: string
  /** Heading in the documentation. */
  room: string
  title: string
  about: string
  /** Row of the table in section 7 of the specification, or an addition of ours. */
  source: 'documented' | 'added'
  /** Procedures it calls; the matrix row of the first decides access, unless `endpointFor` names another. */
  procedures: readonly string[]
  /** Who may call, in words, when the procedure allows more roles than the call. */
  who?: string
  status: 200 | 201
  /** Error codes to document; the common ones are left out. */
  refusals: readonly ErrorCode[]
  /** The documented example request, which works in the demo. */
  example: Example
}

/** `$NAME` stands for a shell variable, set by the lines before or by an earlier example. */
export type Example = {
  params?: Record<string, string>
  query?: Record<string, string>
  body?: Record<string, unknown> | string
  /** Files of a form, by field name. */
  files?: Record<string, string>
  answer: unknown
  /** Whose access token it sends; `refresh` sends the refresh token of a patient's session. */
  as?: 'patient' | 'provider' | 'staff' | 'refresh'
  /** Commands to run before it. */
  before?: readonly string[]
  /** Shell variables to set, by the response field each is taken from. */
  keep?: Record<string, string>
  /** Only documented, not runnable: it needs something a demo does not have. */
  isForReading?: true
}

export type Schemas = {
  query: Schema
  body: Partial<Record<BodyKind, Schema>>
  answer: Schema
}

/** The parts of a request that can be read without knowing the call. */
export type RestRequest = {
  ctx: Context
  params: Readonly<Record<string, string>>
  query: Readonly<Record<string, string>>
  body: { kind: BodyKind; value: unknown } | null
}

/** A call implemented by procedures. */
export type ProcedureCall = CallDescription & {
  schemas: Schemas
  /** Whether it changes data and must therefore come from the same origin. */
  isWrite: boolean
  /** A path parameter that must be the caller's own id; any other is `not_found`. */
  own: OwnParam | null
  /** Error response fields that repeat the sentence, because documented screens read them. */
  words: readonly ('message' | 'detail')[]
  /** `Cache-Control` of a successful response. */
  cache: string | null
  headers: Record<string, string>
  /** An `Idempotency-Key` covers the call as a whole, such as several writes, instead of its procedure. */
  isComposite: boolean
  /** Size limit of a JSON body in bytes, when lower than the common limit. */
  bodyLimit: number | null
  /** The procedure or upload endpoint whose matrix row decides access; may depend on who calls. */
  endpointFor(viewer: Pick<Viewer, 'kind'>): string
  answerTo(given: RestRequest): Promise<unknown>
}

export type OwnParam = { param: string; is: 'user' | 'provider' }

/** A call with its own response: webhooks, health, the documentation. */
export type OwnCall = CallDescription & {
  /** Content type of a successful response; its JSON schema is `answer`. */
  type: string
  answer: Readonly<Record<string, unknown>>
  /** Body of a 503 that is not one of our errors. */
  unavailable?: Readonly<Record<string, unknown>>
  make(services: Services): [Middleware, ...Middleware[]]
}

export type RestCall = ProcedureCall | OwnCall

export function isOwnCall(call: RestCall): call is OwnCall {
  return 'make' in call
}

/** Arguments of a call's `run`. */
export type CallArguments<Q, B> = {
  ctx: Context
  caller: Caller
  params: Readonly<Record<string, string>>
  query: Q
  body: B
}

type Spec<Q extends Schema, B extends Schema, A extends Schema> = Omit<
  CallDescription,
  'source' | 'status' | 'refusals'
> &
  Partial<Pick<CallDescription, 'source' | 'status' | 'refusals'>> &
  Partial<Omit<ProcedureCall, keyof CallDescription | 'schemas' | 'answerTo'>> & {
    query: Q
    body: Partial<Record<BodyKind, B>>
    answer: A
    run: (asked: CallArguments<z.output<Q>, z.output<B>>) => Promise<z.input<A>>
  }

/** The query schema of a call without query parameters. */
export const noQuery = z.strictObject({})

/** The body schema of a call without a body; an empty object is accepted. */
export const noBody = { json: z.strictObject({}) }

const nothing: Record<BodyKind, unknown> = { json: {}, form: {}, text: '' }

function readSent<B extends Schema>(
  schemas: Partial<Record<BodyKind, B>>,
  sent: RestRequest['body'],
): z.output<B> {
  const kind = sent?.kind ?? (['json', 'form', 'text'] as const).find((one) => schemas[one])
  const schema = kind === undefined ? undefined : schemas[kind]
  if (kind === undefined || schema === undefined) throw new AppError('unsupported_media_type')
  return parseInput(schema, sent === null ? nothing[kind] : sent.value)
}

/**
 * Makes a row of the table. The schemas parse query and body, `run` calls procedures and translates their
 * results, and the response is limited to the fields of its schema.
 */
export function restCall<Q extends Schema, B extends Schema, A extends Schema>(
  spec: Spec<Q, B, A>,
): ProcedureCall {
  const { run, query, body, answer, ...row } = spec
  const [endpoint = ''] = row.procedures
  return {
    source: 'documented',
    status: 200,
    refusals: [],
    isWrite: row.method !== 'GET',
    own: null,
    words: [],
    cache: null,
    headers: {},
    isComposite: false,
    bodyLimit: null,
    endpointFor: () => endpoint,
    ...row,
    schemas: { query, body, answer },
    answerTo: async ({ ctx, params, query: asked, body: sent }) => {
      const caller = createCaller(ctx)
      const input = { query: parseInput(query, asked), body: readSent(body, sent) }
      // After the schemas, so that a field's own message takes precedence.
      assertNoNul(input)
      return z.parse(answer, await run({ ctx, caller, params, ...input }))
    },
  }
}

// Conversions between the formats of the documented calls and of the procedures.

const SLASHED = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/

function isoOf(text: string): string {
  const [, day, month, year] = SLASHED.exec(text.trim()) ?? []
  if (day === undefined || month === undefined) return text
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
}

/** A date in the format of the documented calls, day/month/year; ISO is accepted too. */
export const Day = z.pipe(
  z.string({ error: 'date_invalid' }).check(
    z.meta({
      description: 'Day/month/year, such as 02/03/2026; 2026-03-02 is read too.',
      examples: ['02/03/2026'],
    }),
  ),
  z.pipe(z.transform(isoOf), z.iso.date({ error: 'date_invalid' })),
)

const TWELVE_HOUR_TIME = /^(1[0-2]|0?[1-9])[:.]([0-5]\d)\s*([ap])\.?m\.?$/i

function clockOf(text: string): string {
  const [, hour, minute, half] = TWELVE_HOUR_TIME.exec(text.trim()) ?? []
  if (hour === undefined) return text.trim().replace(/^(\d):/, '0$1:')
  const hours = (Number(hour) % 12) + (half?.toLowerCase() === 'p' ? 12 : 0)
  return `${String(hours).padStart(2, '0')}:${minute}`
}

/** A time of day at the clinic: 14:30, or 2:30 PM. */
export const Clock = z.pipe(
  z
    .string({ error: 'date_invalid' })
    .check(z.meta({ description: 'At the clinic: 14:30, or 2:30 PM.', examples: ['14:30'] })),
  z.pipe(
    z.transform(clockOf),
    z
      .string({ error: 'date_invalid' })
      .check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/, { error: 'date_invalid' })),
  ),
)

/** A number in a query; `schema` checks its value. */
export function numeric<S extends z.ZodMiniType<unknown, number>>(schema: S) {
  const toNumber = (text: unknown) =>
    typeof text === 'string' && /^\s*[+-]?[\d.]/.test(text) ? Number(text) : Number.NaN
  return z.pipe(z.transform(toNumber), schema)
}

const FLAGS: Record<string, boolean> = { true: true, '1': true, false: false, '0': false }

/** A boolean in a query or a form: true, false, 1 or 0, and `on` from a ticked box. */
export const Flag = z.pipe(
  z.transform((text: unknown) =>
    typeof text === 'string' ? (FLAGS[text.toLowerCase()] ?? (text === 'on' || text)) : text,
  ),
  z.boolean({ error: 'Send true or false.' }),
)

/** `60.00` for 6000. */
export function majorText({ minor }: Pick<Money, 'minor'>): string {
  const text = String(minor).padStart(3, '0')
  return `${text.slice(0, -2)}.${text.slice(-2)}`
}

/** 6000 for `60`, `60.0` and 60.00; NaN for an invalid amount. */
export function minorOf(major: unknown): number {
  const text = typeof major === 'number' ? String(major) : major
  const [, whole, cents = ''] =
    (typeof text === 'string' ? /^(\d{1,7})(?:\.(\d{1,2}))?$/.exec(text.trim()) : null) ?? []
  return whole === undefined ? Number.NaN : Number(whole) * 100 + Number(cents.padEnd(2, '0'))
}

/** `02/03/2026` for an ISO date. */
export function formatSlashedDate(date: string): string {
  return date.split('-').toReversed().join('/')
}

/** Local date and time of an instant, in the format of the documented calls. */
export function wallOf(iso: string, timeZone: string): { date: string; time: string } {
  const wall = toIso(wallClock(Temporal.Instant.from(iso).epochMilliseconds, timeZone))
  return { date: formatSlashedDate(wall.slice(0, 10)), time: wall.slice(11, 16) }
}

/** An amount in pounds or dollars with two decimals. */
export const Amount = z.string().check(z.regex(/^\d+\.\d{2}$/), z.meta({ examples: ['60.00'] }))

/** Fields of a successful response whose documented form is "not shown". */
export const okFields = { status: z.literal(true), message: z.string() }

/** Fields of a successful response. */
export const OK = { status: true } as const

/** A successful response with a message. */
export function okMessage(message: string): { status: true; message: string } {
  return { status: true, message }
}

/** An id from the path. A malformed id is `not_found`, like an unknown one. */
export function parseId<S extends z.ZodMiniType<string>>(schema: S, text: string | undefined) {
  const { data } = schema.safeParse(text)
  if (data === undefined) throw new AppError('not_found')
  return data
}
