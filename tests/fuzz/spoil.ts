import * as fc from 'fast-check'
import { isRecord, percent } from './from-schema.ts'
import { NASTY, NUMBERS } from './texts.ts'

function nested(depth: number): unknown {
  let value: unknown = 'deep'
  for (let level = 0; level < depth; level++) value = level % 2 === 0 ? [value] : { a: value }
  return value
}

/** Adds a field with any name: `__proto__` in an object literal would set the prototype. */
function withField(value: object, name: string, field: unknown): unknown {
  return Object.fromEntries([...Object.entries(value), [name, field]])
}

/** Replacements for a value: some for any type, some for its own. */
function changesOf(value: unknown): unknown[] {
  const any = [null, undefined, [value], { value }, JSON.stringify(value)]
  if (typeof value === 'number') return [...any, -value, value + 0.5]
  if (Array.isArray(value)) return [...any, Array(60).fill(value[0]), Array(1_500).fill(value[0])]
  if (typeof value !== 'string') return any
  const changed = [value.toUpperCase(), value.slice(1), value.repeat(60)]
  return [...any, Number(value), `${value}\0`, `${value}\uD83E`, ...changed]
}

function replaced(value: unknown): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...changesOf(value)) },
    { weight: 2, arbitrary: fc.constantFrom(...NASTY) },
    { weight: 1, arbitrary: fc.constantFrom(...NUMBERS) },
    { weight: 1, arbitrary: fc.jsonValue({ stringUnit: 'binary' }) },
    { weight: 1, arbitrary: fc.constantFrom(3, 30, 90, 3_000).map(nested) },
  )
}

/** An object with one field added, removed or renamed. */
function reshaped(value: Record<string, unknown>): fc.Arbitrary<unknown> {
  const entries = Object.entries(value)
  const name = fc.constantFrom('extra', 'role', 'id', 'is_admin', '', ...NASTY)
  return fc.oneof(
    fc
      .tuple(name, fc.constantFrom(1, ...NASTY))
      .map(([key, field]) => withField(value, key, field)),
    fc.constantFrom(
      withField(value, '__proto__', { role: 'superuser' }),
      withField(value, 'constructor', { prototype: { role: 'superuser' } }),
      [value, value],
      Object.fromEntries(entries.map(([key, one]) => [key.toUpperCase(), one])),
    ),
    fc.nat({ max: entries.length }).map((at) => Object.fromEntries(entries.toSpliced(at, 1))),
  )
}

/** A copy with one invalid change anywhere. */
function spoilt(value: unknown): fc.Arbitrary<unknown> {
  const whole = isRecord(value) ? fc.oneof(reshaped(value), replaced(value)) : replaced(value)
  const keys = typeof value === 'object' && value !== null ? Object.keys(value) : []
  if (keys.length === 0) return whole
  const inside = fc.constantFrom(...keys).chain((key) => {
    if (isRecord(value)) return spoilt(value[key]).map((one) => withField(value, key, one))
    const list: unknown[] = Array.isArray(value) ? value : []
    return spoilt(list[Number(key)]).map((one) => list.with(Number(key), one))
  })
  return fc.oneof({ weight: 2, arbitrary: inside }, { weight: 1, arbitrary: whole })
}

/** Corrupted once or twice in a percentage of the runs, otherwise unchanged. */
export function perhapsSpoilt(value: unknown, share: number): fc.Arbitrary<unknown> {
  const twice = spoilt(value).chain(spoilt)
  return percent(share).chain((is) =>
    is
      ? fc.oneof({ weight: 3, arbitrary: spoilt(value) }, { weight: 1, arbitrary: twice })
      : fc.constant(value),
  )
}
