import type * as fc from 'fast-check'
import type * as z from 'zod/mini'
import { uploads } from '#server/http/uploads.ts'
import type { ProcedureCall, RestCall } from '#server/rest/call.ts'
import { restCalls } from '#server/rest/calls.ts'
import { inputParser, isQuery, procedurePaths } from '#tests/harness/procedures.ts'
import { sampleInputs } from '#tests/harness/sample-inputs.ts'
import { fromSchema } from './values.ts'

type Values = fc.Arbitrary<unknown>

/** A procedure, with a valid input and its input schema. */
export type ProcedureTarget = {
  kind: 'trpc'
  path: string
  method: 'GET' | 'POST'
  sample: object
  values: Values | null
}

/** A documented path; without schemas where the call parses the request itself. */
export type RestTarget = {
  kind: 'rest'
  call: RestCall
  query: Values | null
  body: readonly (readonly ['json' | 'text' | 'form', Values])[]
}

/** An upload endpoint. */
export type UploadTarget = { kind: 'upload'; path: string }

export type Target = ProcedureTarget | RestTarget | UploadTarget

function isSchema(value: unknown): value is z.ZodMiniType {
  return typeof value === 'object' && value !== null && '_zod' in value
}

function procedureTargets(): ProcedureTarget[] {
  return procedurePaths.map((path) => {
    const schema = inputParser(path)
    return {
      kind: 'trpc',
      path,
      method: isQuery(path) ? 'GET' : 'POST',
      sample: sampleInputs[path] ?? {},
      values: isSchema(schema) ? fromSchema(schema) : null,
    }
  })
}

function bodiesOf({ schemas }: ProcedureCall): RestTarget['body'] {
  const { json, text, form } = schemas.body
  return [
    ...(json === undefined ? [] : [['json', fromSchema(json)] as const]),
    ...(text === undefined ? [] : [['text', fromSchema(text)] as const]),
    ...(form === undefined ? [] : [['form', fromSchema(form)] as const]),
  ]
}

function restTargets(): RestTarget[] {
  return restCalls.map((call) => ({
    kind: 'rest',
    call,
    query: 'schemas' in call ? fromSchema(call.schemas.query) : null,
    body: 'schemas' in call ? bodiesOf(call) : [],
  }))
}

/** All targets, by kind of endpoint. */
export function everyTarget(): { trpc: Target[]; rest: Target[]; uploads: Target[] } {
  return {
    trpc: procedureTargets(),
    rest: restTargets(),
    uploads: uploads.map(({ path }) => ({ kind: 'upload', path })),
  }
}
