import * as z from 'zod/mini'
import { MapResults, SearchResults } from '#contract/search.ts'
import { appRouter } from '#server/app-router.ts'

/** A JSON Schema, as far as tests look into it. */
export type JsonSchema = { [word: string]: unknown }

function isObject(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function toSchema(parser: unknown, io: 'input' | 'output'): JsonSchema {
  if (!(parser instanceof z.core.$ZodType)) throw new Error('This is no schema of ours.')
  return { ...z.toJSONSchema(parser, { io, unrepresentable: 'any' }) }
}

function defOf(path: string): JsonSchema {
  const found: unknown = Object.entries(appRouter._def.procedures).find(([name]) => name === path)
  const procedure: unknown = Array.isArray(found) ? found[1] : undefined
  if (typeof procedure !== 'function' || !('_def' in procedure) || !isObject(procedure._def)) {
    throw new Error(`There is no procedure ${path}.`)
  }
  return procedure._def
}

/** Answers that are read by code made of their schema, which shows it no more. */
const COMPILED: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['search.map', MapResults],
  ['search.providers', SearchResults],
])

/** Everything a procedure may answer. */
export function answerSchema(path: string): JsonSchema {
  return toSchema(COMPILED.get(path) ?? defOf(path)['output'], 'output')
}

/** Everything a procedure takes. */
export function inputSchema(path: string): JsonSchema {
  const { inputs } = defOf(path)
  return toSchema(Array.isArray(inputs) ? inputs[0] : undefined, 'input')
}

const BRANCHES = ['anyOf', 'oneOf', 'allOf'] as const

/** What stands directly inside a schema, with the steps that lead there: `users`, `[]`, `*`. */
function inside(schema: JsonSchema): [step: string, schema: JsonSchema][] {
  const { properties, items, additionalProperties } = schema
  const found: [string, JsonSchema][] = []
  if (isObject(properties)) {
    for (const [name, one] of Object.entries(properties)) {
      if (isObject(one)) found.push([`.${name}`, one])
    }
  }
  if (isObject(items)) found.push(['[]', items])
  if (isObject(additionalProperties)) found.push(['.*', additionalProperties])
  for (const word of BRANCHES) {
    const branches = schema[word]
    if (!Array.isArray(branches)) continue
    for (const branch of branches) if (isObject(branch)) found.push(['', branch])
  }
  return found
}

/** Every schema within a schema, itself included, by the way that leads to it. */
export function walkSchema(schema: JsonSchema, way = ''): [way: string, schema: JsonSchema][] {
  const deeper = inside(schema).flatMap(([step, one]) => walkSchema(one, way + step))
  return [[way, schema], ...deeper]
}

/** The ways to everything that is no object or list itself: `.users[].email`. */
export function leavesOf(schema: JsonSchema): string[] {
  const ways = walkSchema(schema)
    .filter(([, one]) => inside(one).length === 0)
    .map(([way]) => way)
  return [...new Set(ways)].toSorted()
}
