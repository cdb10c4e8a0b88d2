import * as z from 'zod/mini'
import { appRouter } from '#server/app-router.ts'
import { procedures } from '#server/procedures.ts'
import type { ProcedureCall, RestCall } from '#server/rest/call.ts'
import { restCalls } from '#server/rest/calls.ts'
import { uploads } from '#server/uploads.ts'
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

/** A door for files. */
export type UploadTarget = { kind: 'upload'; path: string }

export type Target = ProcedureTarget | RestTarget | UploadTarget

const Inputs = z.object({ _def: z.object({ inputs: z.array(z.unknown()) }) })

function isSchema(value: unknown): value is z.ZodMiniType {
  return typeof value === 'object' && value !== null && '_zod' in value
}

function inputsOf(procedure: unknown): Drawn[] {
  const isCallable = typeof procedure === 'function' && '_def' in procedure
  const read = Inputs.safeParse(isCallable ? { _def: procedure._def } : null)
  return read.success ? read.data._def.inputs.filter(isSchema).map(drawn) : []
}

function procedureTargets(): ProcedureTarget[] {
  const all: Record<string, unknown> = appRouter._def.procedures
  return [...procedures].map(([path, { type }]) => ({
    kind: 'trpc',
    path,
    method: type === 'query' ? 'GET' : 'POST',
    sample: sampleInputs[path] ?? {},
    schemas: inputsOf(all[path]),
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
