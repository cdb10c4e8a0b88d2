import type { AnyTRPCProcedure } from '@trpc/server'
import * as z from 'zod/mini'
import { appRouter } from './app-router.ts'
import type { Access, ProcedureMeta } from './kernel/access.ts'

/** What a procedure declares: its kind, who may call it and how, and its schemas. */
export type Declaration = {
  kind: 'query' | 'mutation'
  meta: Access & ProcedureMeta
  input: z.core.$ZodType
  output: z.core.$ZodType
}

function isProcedure(value: unknown): value is AnyTRPCProcedure {
  return typeof value === 'function' && '_def' in value
}

/** tRPC types every `meta` of a router alike; a procedure of ours has no other. */
function isMeta(meta: unknown): meta is ProcedureMeta {
  return typeof meta === 'object' && meta !== null
}

function schemaOf(path: string, parser: unknown): z.core.$ZodType {
  if (parser instanceof z.core.$ZodType) return parser
  throw new Error(`${path} does not declare its input and output.`)
}

/**
 * Reads the definition tRPC keeps with a procedure, as its OpenAPI and panel packages do (decision 075): tRPC's types
 * document `type`, `inputs` and `meta`; `output` is beside them. Throws at start if one is missing.
 */
function declarationOf(path: string, { _def: definition }: AnyTRPCProcedure): Declaration {
  const { type, inputs } = definition
  if (type === 'subscription') throw new Error(`${path} is a subscription.`)
  const output = 'output' in definition ? definition.output : undefined
  const meta = isMeta(definition.meta) ? definition.meta : {}
  return {
    kind: type,
    meta: { ...meta, may: meta.may ?? [] },
    input: schemaOf(path, inputs[0]),
    output: schemaOf(path, output),
  }
}

/** Procedures by name in one room, or nothing: the router's own functions lie beside its rooms. */
function roomEntries(record: unknown): [name: string, AnyTRPCProcedure][] {
  if (typeof record !== 'object' || record === null) return []
  return Object.entries(record).filter((entry): entry is [string, AnyTRPCProcedure] =>
    isProcedure(entry[1]),
  )
}

function declarations(): [path: string, Declaration][] {
  return Object.entries(appRouter).flatMap(([room, record]) =>
    roomEntries(record).map(([name, procedure]): [string, Declaration] => {
      const path = `${room}.${name}`
      return [path, declarationOf(path, procedure)]
    }),
  )
}

/** Every procedure by its dotted path, as the router declares it. */
export const procedures: ReadonlyMap<string, Declaration> = new Map(declarations())

/** Who may call the procedure at a path; nobody where there is none. */
export function accessTo(path: string): Access {
  return procedures.get(path)?.meta ?? { may: [] }
}
