import * as z from 'zod/mini'
import type { ErrorCode } from '#contract/errors.ts'
import { createCaller } from '#server/app-router.ts'
import type { Context, Services, Viewer } from '#server/context.ts'
import type { Middleware } from '#server/http/request-context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { inputRefusal } from '#server/kernel/wire/input-errors.ts'

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
  /** Procedures it calls; the matrix row of the first decides access. */
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
  /** Several writes in one call: an `Idempotency-Key` covers all of them together. */
  isComposite: boolean
  /** Size limit of a JSON body in bytes, when lower than the common limit. */
  bodyLimit: number | null
  /** The procedure or upload endpoint whose matrix row decides access; may depend on the viewer. */
  endpointFor(viewer: Viewer): string
  answerTo(given: RestRequest): Promise<unknown>
}

export type OwnParam = { param: string; is: 'user' | 'provider' }

/** A call with an answer of its own: webhooks, health, the documentation. */
export type OwnCall = CallDescription & {
  /** Content type of a successful response; its JSON schema is `answer`. */
  type: string
  answer: Readonly<Record<string, unknown>>
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

function read<S extends Schema>(schema: S, value: unknown): z.output<S> {
  const result = z.safeParse(schema, value)
  if (result.success) return result.data
  throw inputRefusal(result.error)
}

const nothing: Record<BodyKind, unknown> = { json: {}, form: {}, text: '' }

function readSent<B extends Schema>(
  schemas: Partial<Record<BodyKind, B>>,
  sent: RestRequest['body'],
): z.output<B> {
  const kind = sent?.kind ?? (['json', 'form', 'text'] as const).find((one) => schemas[one])
  const schema = kind === undefined ? undefined : schemas[kind]
  if (kind === undefined || schema === undefined) throw new AppError('unsupported_media_type')
  return read(schema, sent === null ? nothing[kind] : sent.value)
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
      const input = { query: read(query, asked), body: readSent(body, sent) }
      return z.parse(answer, await run({ ctx, caller, params, ...input }))
    },
  }
}
