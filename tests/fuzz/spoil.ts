import type { Dice } from './dice.ts'
import { NASTY, NUMBERS } from './texts.ts'

type Way = (value: unknown, dice: Dice) => unknown

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function nested(depth: number, inner: unknown): unknown {
  let value = inner
  for (let level = 0; level < depth; level++) value = level % 2 === 0 ? [value] : { a: value }
  return value
}

/** A field under a name of its own: `__proto__` in a literal would be no field. */
function withField(value: unknown, name: string, field: unknown): unknown {
  if (!isRecord(value)) return { [name]: field }
  return Object.fromEntries([...Object.entries(value), [name, field]])
}

function without(value: Record<string, unknown>, name: string): unknown {
  return Object.fromEntries(Object.entries(value).filter(([one]) => one !== name))
}

/** What one value is replaced by. */
const REPLACED: readonly Way[] = [
  () => null,
  () => undefined,
  (_, dice) => dice.one(NASTY),
  (_, dice) => dice.one(NASTY),
  (_, dice) => dice.one(NUMBERS),
  (_, dice) => dice.chance(0.5),
  () => [],
  () => ({}),
  (value) => [value],
  (value) => ({ value }),
  (value) => String(value),
  (value) => Number(value),
  (value) => (typeof value === 'string' ? `${value}\0` : value),
  (value) => (typeof value === 'string' ? `${value}\uD83E` : value),
  (value) => (typeof value === 'string' ? value.toUpperCase() : value),
  (value) => (typeof value === 'string' ? value.slice(1) : value),
  (value) => (typeof value === 'string' ? value.repeat(60) : value),
  (value) => (typeof value === 'number' ? -value : value),
  (value) => (typeof value === 'number' ? value + 0.5 : value),
  (value, dice) => (Array.isArray(value) ? Array(dice.one([2, 60, 1_500])).fill(value[0]) : value),
  (_, dice) => nested(dice.one([3, 30, 90, 3_000]), 'deep'),
]

/** What is done to an object as a whole. */
const RESHAPED: readonly Way[] = [
  (value, dice) => withField(value, dice.one(['extra', 'role', 'id', 'is_admin', '']), 1),
  (value) => withField(value, '__proto__', { role: 'superuser' }),
  (value) => withField(value, 'constructor', { prototype: { role: 'superuser' } }),
  (value, dice) => withField(value, dice.one(NASTY), dice.one(NASTY)),
  (value, dice) => (isRecord(value) ? without(value, dice.one(Object.keys(value))) : value),
  (value) => [value, value],
  (value) =>
    isRecord(value)
      ? Object.fromEntries(Object.entries(value).map(([name, one]) => [name.toUpperCase(), one]))
      : value,
]

/** A copy with one thing in it that should not be so; where it lies is up to chance. */
export function spoil(value: unknown, dice: Dice): unknown {
  if (isRecord(value) && dice.chance(0.85)) {
    const names = Object.keys(value)
    if (names.length === 0) return withField(value, 'extra', dice.one(NASTY))
    if (dice.chance(0.25)) return dice.one(RESHAPED)(value, dice)
    const chosen = dice.one(names)
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => [name, name === chosen ? spoil(one, dice) : one]),
    )
  }
  if (Array.isArray(value) && value.length > 0 && dice.chance(0.6)) {
    const at = dice.below(value.length)
    return value.map((one: unknown, n) => (n === at ? spoil(one, dice) : one))
  }
  return dice.one(REPLACED)(value, dice)
}
