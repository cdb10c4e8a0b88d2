import type * as z from 'zod/mini'
import type { ProcedureCall, RestCall } from '#server/rest/call.ts'
import { restCalls } from '#server/rest/calls.ts'
import { uploads } from '#server/uploads.ts'
import { inputParsers, isQuery, procedurePaths } from '#tests/harness/procedures.ts'
import { sampleInputs } from '#tests/harness/sample-inputs.ts'
import { drawn } from './from-schema.ts'

type Drawn = ReturnType<typeof drawn>

/** A procedure, with an input its contract takes and the schemas of what it may be sent. */
export type ProcedureTarget = {
  kind: 'trpc'
  path: string
  method: 'GET' | 'POST'
  sample: object
  schemas: readonly Drawn[]
}

/** A row of the table of documented paths; without schemas where the call reads what comes itself. */
export type RestTarget = {
  kind: 'rest'
  call: RestCall
  query: Drawn | null
  body: readonly (readonly ['json' | 'text' | 'form', Drawn])[]
}

/** An upload endpoint. */
export type UploadTarget = { kind: 'upload'; path: string }

export type Target = ProcedureTarget | RestTarget | UploadTarget

function isSchema(value: unknown): value is z.ZodMiniType {
  return typeof value === 'object' && value !== null && '_zod' in value
}

function procedureTargets(): ProcedureTarget[] {
  return procedurePaths.map((path) => ({
    kind: 'trpc',
    path,
    method: isQuery(path) ? 'GET' : 'POST',
    sample: sampleInputs[path] ?? {},
    schemas: inputParsers(path).filter(isSchema).map(drawn),
  }))
}

function bodiesOf({ schemas }: ProcedureCall): RestTarget['body'] {
  const { json, text, form } = schemas.body
  return [
    ...(json === undefined ? [] : [['json', drawn(json)] as const]),
    ...(text === undefined ? [] : [['text', drawn(text)] as const]),
    ...(form === undefined ? [] : [['form', drawn(form)] as const]),
  ]
}

function restTargets(): RestTarget[] {
  return restCalls.map((call) => ({
    kind: 'rest',
    call,
    query: 'schemas' in call ? drawn(call.schemas.query) : null,
    body: 'schemas' in call ? bodiesOf(call) : [],
  }))
}

/** Everything that answers with data, by all the ways in. */
export function everyTarget(): { trpc: Target[]; rest: Target[]; uploads: Target[] } {
  return {
    trpc: procedureTargets(),
    rest: restTargets(),
    uploads: uploads.map(({ path }) => ({ kind: 'upload', path })),
  }
}
