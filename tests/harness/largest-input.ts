import type { JsonSchema } from './procedures.ts'

/** Three bytes in UTF-8, nine characters in a URL: no UTF-16 unit takes more. */
const WIDE = '\u8A3A'

/** Longest text taken for a pattern or format without a `maxLength`: those match ids, instants and link tokens. */
const PATTERN_LENGTH = 64

function schemasOf(value: unknown): JsonSchema[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- JSON Schema holds schemas here
  return Array.isArray(value) ? (value as JsonSchema[]) : []
}

function longest(values: readonly unknown[]): unknown {
  const size = (value: unknown) => JSON.stringify(value)?.length ?? 0
  return values.toSorted((a, b) => size(b) - size(a))[0]
}

/**
 * The largest value that a JSON Schema bounds, whether it is valid otherwise or not. Throws at a text, list or record
 * without a bound, with the way to it.
 */
export function largestValue(schema: JsonSchema, way = ''): unknown {
  const { enum: words, const: only, type, properties, items, additionalProperties } = schema
  if (only !== undefined) return only
  if (Array.isArray(words)) return longest(words)
  const branches = [...schemasOf(schema['anyOf']), ...schemasOf(schema['oneOf'])]
  if (branches.length > 0) return longest(branches.map((one) => largestValue(one, way)))
  if (type === 'string') {
    const isNarrow = schema['pattern'] !== undefined || schema['format'] !== undefined
    const length = Number(schema['maxLength'] ?? (isNarrow ? PATTERN_LENGTH : Number.NaN))
    if (Number.isNaN(length)) throw new Error(`${way} has no maximum length.`)
    return (isNarrow ? 'x' : WIDE).repeat(length)
  }
  if (type === 'number' || type === 'integer') return -Number.MAX_SAFE_INTEGER + 0.5
  if (type === 'array') {
    const most = schema['maxItems']
    if (typeof most !== 'number') throw new Error(`${way}[] has no maximum length.`)
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- our arrays all have one item schema
    const item = largestValue(items as JsonSchema, `${way}[]`)
    return Array.from({ length: most }, () => item)
  }
  if (typeof additionalProperties === 'object') throw new Error(`${way}.* has no bound.`)
  return Object.fromEntries(
    Object.entries(properties ?? {}).map(([name, one]) => [
      name,
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above
      largestValue(one as JsonSchema, `${way}.${name}`),
    ]),
  )
}
