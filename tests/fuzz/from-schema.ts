import * as fc from 'fast-check'
import * as z from 'zod/mini'
import { NUMBERS, PLAUSIBLE } from './texts.ts'

type JsonSchema = Readonly<Record<string, unknown>>

/** Longer lists only take more time. */
const MAX_LIST_LENGTH = 40

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

function schemasIn(value: unknown): JsonSchema[] {
  return listOf(value).filter(isRecord)
}

function entriesOf(value: unknown): [string, JsonSchema][] {
  const entries = isRecord(value) ? Object.entries(value) : []
  return entries.map(([name, one]) => [name, isRecord(one) ? one : {}])
}

function numberIn(schema: JsonSchema, word: string, otherwise: number): number {
  const value = schema[word]
  return typeof value === 'number' ? value : otherwise
}

/** Merges several objects; where they share a key, the later one wins. */
function mergeObjects(parts: readonly JsonSchema[]): JsonSchema {
  return Object.fromEntries(parts.flatMap((part) => Object.entries(part)))
}

/** True in a given percentage of the runs. */
export function percent(share: number): fc.Arbitrary<boolean> {
  return fc.oneof(
    { weight: share, arbitrary: fc.constant(true) },
    { weight: 100 - share, arbitrary: fc.constant(false) },
  )
}

/** Includes lists with one item fewer or more than allowed. */
function arrayOf({ items, ...schema }: JsonSchema): fc.Arbitrary<unknown> {
  return fc.array(fromJsonSchema(isRecord(items) ? items : {}), {
    minLength: Math.max(0, numberIn(schema, 'minItems', 0) - 1),
    maxLength: 1 + Math.min(numberIn(schema, 'maxItems', 4), MAX_LIST_LENGTH),
  })
}

/** Objects with the given arbitraries as field values; without `required`, all fields are always present. */
export function objectOf(
  fields: readonly (readonly [string, fc.Arbitrary<unknown>])[],
  required: readonly unknown[] = fields.map(([name]) => name),
): fc.Arbitrary<Record<string, unknown>> {
  const model: Record<string, fc.Arbitrary<unknown>> = {}
  for (const [name, values] of fields) model[name] = values
  const requiredKeys = Object.keys(model).filter((name) => required.includes(name))
  return fc.record(model, { requiredKeys, noNullPrototype: true })
}

/** fast-check favours the limits of a range, which here includes the values one beyond each limit. */
function numberOf(schema: JsonSchema): fc.Arbitrary<number> {
  const min = Math.ceil(numberIn(schema, 'minimum', 0))
  const max = Math.max(min, Math.floor(numberIn(schema, 'maximum', min + 100)))
  const whole = fc.integer({ min: min - 1, max: max + 1 })
  const inside = schema['type'] === 'integer' ? whole : fc.oneof(whole, fc.double({ min, max }))
  return fc.oneof(
    { weight: 9, arbitrary: inside },
    { weight: 1, arbitrary: fc.constantFrom(...NUMBERS) },
  )
}

/** Plausible texts that fit the schema; otherwise texts that match its pattern, or random ones. */
function textOf(schema: JsonSchema): fc.Arbitrary<string> {
  const pattern = typeof schema['pattern'] === 'string' ? new RegExp(schema['pattern'], 'u') : null
  const minLength = numberIn(schema, 'minLength', 0)
  const maxLength = numberIn(schema, 'maxLength', Math.max(minLength, 200))
  const fitting = PLAUSIBLE.filter((text) => {
    return text.length >= minLength && text.length <= maxLength && (pattern?.test(text) ?? true)
  })
  const any = fc.string({ unit: 'binary', minLength, maxLength: maxLength + 1 })
  if (fitting.length === 0) return pattern === null ? any : fc.stringMatching(pattern)
  return fc.oneof(
    { weight: 9, arbitrary: fc.constantFrom(...fitting) },
    { weight: 1, arbitrary: any },
  )
}

function fromJsonSchema(schema: JsonSchema): fc.Arbitrary<unknown> {
  if ('const' in schema) return fc.constant(schema['const'])
  if ('enum' in schema) return fc.constantFrom(...listOf(schema['enum']))
  const options = [...schemasIn(schema['anyOf']), ...schemasIn(schema['oneOf'])]
  if (options.length > 0) return fc.oneof(...options.map(fromJsonSchema))
  const parts = schemasIn(schema['allOf'])
  if (parts.length > 0) return fromJsonSchema(mergeObjects(parts))
  switch (schema['type']) {
    case 'object':
      return objectOf(
        entriesOf(schema['properties']).map(([name, one]) => [name, fromJsonSchema(one)]),
        listOf(schema['required']),
      )
    case 'array':
      return arrayOf(schema)
    case 'string':
      return textOf(schema)
    case 'integer':
    case 'number':
      return numberOf(schema)
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    default:
      return fc.oneof(textOf({}), fc.jsonValue())
  }
}

/** Values that the schema accepts, or that lie just beyond its limits. */
export function fromSchema(schema: z.ZodMiniType): fc.Arbitrary<unknown> {
  return fromJsonSchema(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }))
}
