import * as z from 'zod/mini'
import { type Declaration, procedures } from '#server/procedures.ts'

/** A JSON Schema, as far as tests look into it. */
export type JsonSchema = { [word: string]: unknown }

function isObject(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function toSchema(parser: unknown, io: 'input' | 'output'): JsonSchema {
  if (!(parser instanceof z.core.$ZodType)) throw new Error('This is not a JSON Schema.')
  return { ...z.toJSONSchema(parser, { io, unrepresentable: 'any' }) }
}

/** The dotted paths of all procedures. */
export const procedurePaths: readonly string[] = [...procedures.keys()]

function declaredOf(path: string): Declaration {
  const declared = procedures.get(path)
  if (declared === undefined) throw new Error(`There is no procedure ${path}.`)
  return declared
}

/** Whether a procedure is a query; the others are mutations. */
export function isQuery(path: string): boolean {
  return declaredOf(path).kind === 'query'
}

/** Who may call a procedure, and its other conditions. */
export function metaOf(path: string): Declaration['meta'] {
  return declaredOf(path).meta
}

/** The schema that parses a procedure's input. */
export function inputParser(path: string): unknown {
  return declaredOf(path).input
}

/** The schema of a procedure's output. */
export function outputSchema(path: string): JsonSchema {
  return toSchema(declaredOf(path).output, 'output')
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
