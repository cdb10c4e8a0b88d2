import type { ErrorCode } from '#contract/base/errors.ts'
import { errorMessage } from '#contract/base/sentences.ts'
import type { Viewer } from '#server/context.ts'
import { statusOf } from '#server/failures.ts'
import { uploadAt } from '#server/http/uploads.ts'
import type { Principal } from '#server/kernel/access.ts'
import { accessTo, procedures } from '#server/procedures.ts'
import {
  type BodyKind,
  isOwnCall,
  type OwnCall,
  type ProcedureCall,
  type RestCall,
} from './call.ts'
import { curlOf, filledExample } from './examples.ts'
import { fieldsOf, type JsonSchema, jsonSchemaOf } from './json-schema.ts'
import { PROCEDURE_ERROR, procedurePaths } from './openapi-procedures.ts'
import { whoBy } from './who.ts'

const TYPES: Record<BodyKind, string> = {
  json: 'application/json',
  text: 'text/plain',
  form: 'multipart/form-data',
}

const REFUSAL: JsonSchema = {
  type: 'object',
  description: 'An error. `error` is a sentence for people, `code` is stable and for programs.',
  properties: {
    status: { const: false },
    error: { type: 'string', examples: ['Email or password is incorrect.'] },
    message: { type: 'string', description: 'The same sentence, on calls whose screens read it.' },
    detail: { type: 'string', description: 'The same sentence, on staff calls.' },
    code: { type: 'string', examples: ['credentials_wrong'] },
    request_id: { type: 'string', description: 'The reference to quote when you contact us.' },
    issues: {
      type: 'array',
      description: 'Invalid fields, and why.',
      items: {
        type: 'object',
        properties: { path: { type: 'string' }, message: { type: 'string' } },
        required: ['path', 'message'],
      },
    },
  },
  required: ['status', 'error', 'code', 'request_id'],
}

/** Error codes that any call may return. */
const COMMON: readonly ErrorCode[] = ['invalid_input', 'rate_limited', 'busy', 'internal']

/** The principals of a kind that are admitted to a call. */
function admittedOf(call: ProcedureCall, kind: Viewer['kind']): readonly Principal[] {
  const endpoint = call.endpointFor({ kind })
  return (endpoint.startsWith('/') ? uploadAt(endpoint).row : accessTo(endpoint)).may
}

/** Whether visitors may make a call. */
function isOpen(call: RestCall): boolean {
  return isOwnCall(call) || admittedOf(call, 'visitor').includes('visitor')
}

/** Whether an `Idempotency-Key` has an effect on a call. */
function takesKey(call: ProcedureCall): boolean {
  const [procedure = ''] = call.procedures
  return (
    call.method !== 'GET' &&
    !isOpen(call) &&
    (call.isComposite || procedures.get(procedure)?.meta.isSecret !== true)
  )
}

function hasBody({ schemas }: ProcedureCall): boolean {
  const json = schemas.body.json
  return json === undefined || fieldsOf(jsonSchemaOf(json, 'input')).length > 0
}

/** All error codes of a call that its description lists. */
function refusalsOf(call: RestCall): ErrorCode[] {
  if (isOwnCall(call)) return [...call.refusals, 'rate_limited']
  const more: ErrorCode[] = []
  if (!isOpen(call)) more.push('sign_in_required', 'forbidden')
  if (call.own !== null) more.push('not_found')
  if (call.isWrite) more.push('foreign_origin')
  if (hasBody(call)) more.push('unsupported_media_type', 'body_too_large')
  return [...new Set([...call.refusals, ...more, ...COMMON])]
}

function refusalResponses(call: RestCall): JsonSchema {
  const byStatus = new Map<number, ErrorCode[]>()
  for (const code of refusalsOf(call)) {
    const status = statusOf(code)
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  const entries = [...byStatus].toSorted(([a], [b]) => a - b)
  return Object.fromEntries(
    entries.map(([status, codes]) => [
      String(status),
      {
        description: codes.map((code) => `\`${code}\`: ${errorMessage(code)}`).join('\n\n'),
        ...(status === 429 || status === 503
          ? { headers: { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } } }
          : {}),
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Refusal' } } },
      },
    ]),
  )
}

function parametersOf(call: ProcedureCall): JsonSchema[] {
  const names = [...call.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const inPath = names.map((name) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))
  const inQuery = fieldsOf(jsonSchemaOf(call.schemas.query, 'input')).map(
    ({ name, schema, isRequired }) => ({ name, in: 'query', required: isRequired, schema }),
  )
  return [
    ...inPath,
    ...inQuery,
    ...(takesKey(call) ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
  ]
}

function requestBodyOf(call: ProcedureCall): JsonSchema {
  if (!hasBody(call)) return {}
  const { body: example } = filledExample(call)
  const content: [string, JsonSchema][] = []
  for (const kind of ['json', 'form', 'text'] as const) {
    const schema = call.schemas.body[kind]
    if (schema === undefined) continue
    const isShown = example !== undefined && kind !== 'form'
    content.push([
      TYPES[kind],
      { schema: jsonSchemaOf(schema, 'input'), ...(isShown ? { example } : {}) },
    ])
  }
  return {
    requestBody: { required: call.method !== 'DELETE', content: Object.fromEntries(content) },
  }
}

function operationId({ method, path }: RestCall): string {
  const words = path.split(/[^A-Za-z0-9]+/).filter(Boolean)
  return [method.toLowerCase(), ...words].join('_')
}

function goodResponse(call: RestCall): JsonSchema {
  const { answer } = call.example
  if (isOwnCall(call)) {
    const example = call.type === 'application/json' ? { example: answer } : {}
    const description = 'Success.'
    return { description, content: { [call.type]: { schema: call.answer, ...example } } }
  }
  const schema = jsonSchemaOf(call.schemas.answer, 'output')
  const headers = { 'X-Request-Id': { $ref: '#/components/headers/RequestId' } }
  const content = { 'application/json': { schema, example: answer } }
  return { description: 'Success.', headers, content }
}

/** Who may make a call, in words. */
function whoMay(call: RestCall): string {
  if (call.who !== undefined) return call.who
  if (isOwnCall(call)) return call.room === 'Webhooks' ? 'the gateway, by its signature' : 'anybody'
  const own = call.own === null ? '' : ', their own only'
  return `${whoBy((kind) => admittedOf(call, kind))}${own}`
}

/** In Markdown: what the call does, who may make it, and a command that makes it. */
function describe(call: RestCall): string {
  const parts = [call.about, `For ${whoMay(call)}.`]
  // Webhooks get no command, because only the gateways can sign them.
  if (!isOwnCall(call) || call.method === 'GET') parts.push(`\`\`\`sh\n${curlOf(call)}\n\`\`\``)
  return parts.join('\n\n')
}

function operationOf(call: RestCall): JsonSchema {
  const isRest = !isOwnCall(call)
  return {
    operationId: operationId(call),
    tags: [call.room],
    summary: call.title,
    description: describe(call),
    ...(isRest && 'deprecation' in call.headers ? { deprecated: true } : {}),
    ...(isRest ? { parameters: parametersOf(call), ...requestBodyOf(call) } : {}),
    ...(isRest ? {} : ownBody(call)),
    responses: {
      [String(call.status)]: goodResponse(call),
      ...refusalResponses(call),
      ...(isRest ? {} : unavailableResponse(call)),
    },
    security: isOpen(call) ? [] : [{ bearer: [] }, { session: [] }],
  }
}

/** Request body defined by the gateway. */
function ownBody({ method }: RestCall): JsonSchema {
  if (method === 'GET') return {}
  return {
    requestBody: {
      required: true,
      content: { 'application/json': { schema: { type: 'object' } } },
    },
  }
}

/** The 503 of a call that has a form of its own for it. */
function unavailableResponse({ unavailable: example }: OwnCall): JsonSchema {
  if (example === undefined) return {}
  const headers = { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } }
  const content = { 'application/json': { schema: { type: 'object' }, example } }
  return { 503: { description: 'Not healthy.', headers, content } }
}

const COMPONENTS: JsonSchema = {
  schemas: { Refusal: REFUSAL, ProcedureError: PROCEDURE_ERROR },
  headers: {
    RequestId: {
      description: 'The reference to quote when you contact us.',
      schema: { type: 'string' },
    },
    RetryAfter: { description: 'Seconds to wait.', schema: { type: 'integer', minimum: 1 } },
  },
  parameters: {
    IdempotencyKey: {
      name: 'Idempotency-Key',
      in: 'header',
      required: false,
      description: 'Makes a write happen once, however often it is sent. Valid for a day.',
      schema: { type: 'string', minLength: 8, maxLength: 200 },
    },
  },
  securitySchemes: {
    bearer: {
      type: 'http',
      scheme: 'bearer',
      description: 'The access token of a session, or an access token made on your profile page.',
    },
    session: {
      type: 'apiKey',
      in: 'cookie',
      name: 'access_token',
      description: 'Used by browsers. Writes with it must come from our own pages.',
    },
  },
}

/**
 * The documented paths and the procedures for access tokens as an OpenAPI 3.1 document; `guide` is Markdown placed
 * before the paths.
 */
export function openApiOf(calls: readonly RestCall[], guide: string): JsonSchema {
  const paths = new Map<string, Record<string, JsonSchema>>()
  for (const call of calls) {
    const path = paths.get(call.path) ?? {}
    paths.set(call.path, path)
    path[call.method.toLowerCase()] = operationOf(call)
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Apposite',
      version: '1.0.0',
      summary: 'Find a doctor or dentist, see their free times, book and pay.',
      description: guide,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    tags: [...new Set(calls.map(({ room }) => room))].map((name) => ({ name })),
    paths: { ...Object.fromEntries(paths), ...procedurePaths() },
    components: COMPONENTS,
  }
}
