import * as z from 'zod/mini'
import { appRouter } from '#server/app-router.ts'

/** A JSON Schema, as far as tests look into it. */
export type JsonSchema = { [word: string]: unknown }

function isObject(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function toSchema(parser: unknown, io: 'input' | 'output'): JsonSchema {
  if (!(parser instanceof z.core.$ZodType)) throw new Error('This is not a JSON Schema.')
  return { ...z.toJSONSchema(parser, { io, unrepresentable: 'any' }) }
}

function entriesOf(value: unknown): [string, unknown][] {
  return isObject(value) ? Object.entries(value) : []
}

/** Procedures by their dotted paths. The router holds those of each feature module under its name. */
const procedures = new Map<string, unknown>(
  Object.entries(appRouter).flatMap(([room, record]) => {
    const entries = entriesOf(record)
    const isRoom = entries.every(([, value]) => typeof value === 'function')
    return isRoom ? entries.map(([name, one]) => [`${room}.${name}`, one] as [string, unknown]) : []
  }),
)

/** The dotted paths of all procedures. */
export const procedurePaths: readonly string[] = [...procedures.keys()]

/** The `meta` a procedure was declared with. */
function declaredOf(path: string): JsonSchema {
  const procedure = procedures.get(path)
  if (typeof procedure !== 'function' || !('meta' in procedure) || !isObject(procedure.meta)) {
    throw new Error(`There is no procedure ${path}.`)
  }
  return procedure.meta
}

/** Whether a procedure is a query; the others are mutations. */
export function isQuery(path: string): boolean {
  const { kind } = declaredOf(path)
  if (kind !== 'query' && kind !== 'mutation') throw new Error(`${path} has no kind.`)
  return kind === 'query'
}

/** The schema that parses a procedure's input. */
export function inputParser(path: string): unknown {
  return declaredOf(path)['input']
}

/** The schema of a procedure's output. */
export function outputSchema(path: string): JsonSchema {
  return toSchema(declaredOf(path)['output'], 'output')
}

/** The schema of a procedure's input. */
export function inputSchema(path: string): JsonSchema {
  return toSchema(inputParser(path), 'input')
}

const BRANCHES = ['anyOf', 'oneOf', 'allOf'] as const

/** The schemas directly inside a schema, with the step that leads to each: `.users`, `[]`, `.*`. */
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

/** All schemas within a schema, itself included, with the path to each. */
export function walkSchema(schema: JsonSchema, way = ''): [way: string, schema: JsonSchema][] {
  const deeper = inside(schema).flatMap(([step, one]) => walkSchema(one, way + step))
  return [[way, schema], ...deeper]
}

/** The paths to all values that are neither objects nor lists: `.users[].email`. */
export function leavesOf(schema: JsonSchema): string[] {
  const ways = walkSchema(schema)
    .filter(([, one]) => inside(one).length === 0)
    .map(([way]) => way)
  return [...new Set(ways)].toSorted()
}
