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

/** How a body may come: JSON, `text/plain`, or `multipart/form-data`. */
export type BodyKind = 'json' | 'text' | 'form'

type Schema = z.ZodMiniType

/** What a person reads about a call, and what the OpenAPI document is made of. */
type Described = {
  method: RestMethod
  /** As the specification writes it; it is served with and without the slash at its end. */
  path: string
  /** Heading of the documentation it stands under. */
  room: string
  title: string
  about: string
  /** Row of the table in section 7 of the specification, or an addition of ours. */
  source: 'documented' | 'added'
  /** Procedures it calls; the matrix row of the first says who may. */
  procedures: readonly string[]
  /** Who may, in words, where a procedure is for more people than the call. */
  who?: string
  status: 200 | 201
  /** Refusals worth naming; the common ones go without saying. */
  refusals: readonly ErrorCode[]
  /** A request that works in the demo, as the documentation shows it. */
  example: Example
}

/** What is written `$NAME` is a variable of the shell, set by the lines before or by an earlier example. */
export type Example = {
  params?: Record<string, string>
  query?: Record<string, string>
  body?: Record<string, unknown> | string
  /** Files of a form, by the name of the field. */
  files?: Record<string, string>
  answer: unknown
  /** Whose token it takes; `refresh` is the other token of a patient's session. */
  as?: 'patient' | 'provider' | 'staff' | 'refresh'
  /** Commands that have to go before it. */
  before?: readonly string[]
  /** Variables for later, by the field of the answer each is taken from. */
  keep?: Record<string, string>
  /** For reading only: it takes something a demo does not have at hand. */
  isForReading?: true
}

export type Schemas = {
  query: Schema
  body: Partial<Record<BodyKind, Schema>>
  answer: Schema
}

/** A request as far as it can be read without knowing the call. */
export type Given = {
  ctx: Context
  params: Readonly<Record<string, string>>
  query: Readonly<Record<string, string>>
  body: { kind: BodyKind; value: unknown } | null
}

/** A call that is answered by procedures. */
export type ProcedureCall = Described & {
  schemas: Schemas
  /** Changes something, so that it must not come from another site. */
  isWrite: boolean
  /** An id in the path that has to be the caller's own; another is not found. */
  own: Own | null
  /** Further fields of a refusal that hold its sentence, because documented screens read them. */
  words: readonly ('message' | 'detail')[]
  /** `Cache-Control` of a good answer. */
  cache: string | null
  headers: Record<string, string>
  /** Several writes in one call: an `Idempotency-Key` counts for all of them together. */
  isComposite: boolean
  /** Bytes of a JSON body, where it needs less than the common limit. */
  bodyLimit: number | null
  /** The procedure or upload endpoint whose matrix row decides: it may depend on who calls. */
  endpointFor(viewer: Viewer): string
  answerTo(given: Given): Promise<unknown>
}

export type Own = { param: string; is: 'user' | 'provider' }

/** A call with an answer of its own: webhooks, health, the documentation. */
export type OwnCall = Described & {
  /** Content type of a good answer, and its JSON schema. */
  type: string
  answer: Readonly<Record<string, unknown>>
  make(services: Services): [Middleware, ...Middleware[]]
}

export type RestCall = ProcedureCall | OwnCall

export function isOwnCall(call: RestCall): call is OwnCall {
  return 'make' in call
}

/** What the translation of a call works with. */
export type Asked<Q, B> = {
  ctx: Context
  caller: Caller
  params: Readonly<Record<string, string>>
  query: Q
  body: B
}

type Spec<Q extends Schema, B extends Schema, A extends Schema> = Omit<
  Described,
  'source' | 'status' | 'refusals'
> &
  Partial<Pick<Described, 'source' | 'status' | 'refusals'>> &
  Partial<Omit<ProcedureCall, keyof Described | 'schemas' | 'answerTo'>> & {
    query: Q
    body: Partial<Record<BodyKind, B>>
    answer: A
    run: (asked: Asked<z.output<Q>, z.output<B>>) => Promise<z.input<A>>
  }

/** The query of a call that has none. */
export const noQuery = z.strictObject({})

/** The body of a call that has none; an empty object counts for nothing. */
export const noBody = { json: z.strictObject({}) }

function read<S extends Schema>(schema: S, value: unknown): z.output<S> {
  const result = z.safeParse(schema, value)
  if (result.success) return result.data
  throw inputRefusal(result.error)
}

const nothing: Record<BodyKind, unknown> = { json: {}, form: {}, text: '' }

function readSent<B extends Schema>(
  schemas: Partial<Record<BodyKind, B>>,
  sent: Given['body'],
): z.output<B> {
  const kind = sent?.kind ?? (['json', 'form', 'text'] as const).find((one) => schemas[one])
  const schema = kind === undefined ? undefined : schemas[kind]
  if (kind === undefined || schema === undefined) throw new AppError('unsupported_media_type')
  return read(schema, sent === null ? nothing[kind] : sent.value)
}

/**
 * A row of the table. Its query and its body are read by their schemas, `run` calls procedures and
 * translates, and nothing leaves that the answer's schema does not name.
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
