import * as z from 'zod/mini'
import type { Dice } from './dice.ts'
import { NUMBERS, PLAUSIBLE } from './texts.ts'

type JsonSchema = Readonly<Record<string, unknown>>

const MOST_DEPTH = 8

/** Several objects as one; where two name the same, the later one has it. */
export function joined(parts: readonly JsonSchema[]): JsonSchema {
  return Object.fromEntries(parts.flatMap((part) => Object.entries(part)))
}

function isRecord(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function schemasIn(value: unknown): JsonSchema[] {
  return Array.isArray(value) ? value.filter(isRecord) : []
}

function numberIn(schema: JsonSchema, word: string, otherwise: number): number {
  const value = schema[word]
  return typeof value === 'number' ? value : otherwise
}

/** A schema of ours as JSON Schema of what is sent; what it cannot say there allows anything. */
export function drawn(schema: z.ZodMiniType): JsonSchema {
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
}

/** Draws values that a schema takes, or that lie just on the other side of its borders. */
export class Drawer {
  readonly #dice: Dice
  /** Texts that exist in the database just now: ids, instants, codes. */
  readonly #known: () => readonly string[]

  constructor(dice: Dice, known: () => readonly string[]) {
    this.#dice = dice
    this.#known = known
  }

  draw(schema: JsonSchema, root: JsonSchema = schema, depth = 0): unknown {
    if (depth > MOST_DEPTH) return null
    const at = { root, depth: depth + 1 }
    const target = this.#target(schema, root)
    if (target !== schema) return this.draw(target, root, depth + 1)
    if ('const' in schema) return schema['const']
    const choices = schema['enum']
    if (Array.isArray(choices) && choices.length > 0) {
      const list: readonly unknown[] = choices
      return list[this.#dice.below(list.length)]
    }
    const options = [...schemasIn(schema['anyOf']), ...schemasIn(schema['oneOf'])]
    if (options.length > 0) return this.draw(this.#dice.one(options), root, at.depth)
    const parts = schemasIn(schema['allOf'])
    if (parts.length > 0) return this.draw(joined(parts), root, at.depth)
    return this.#drawType(schema, at)
  }

  #target(schema: JsonSchema, root: JsonSchema): JsonSchema {
    const to = schema['$ref']
    if (typeof to !== 'string') return schema
    if (to === '#') return root
    const definitions = root['$defs']
    const found = isRecord(definitions) ? definitions[to.slice('#/$defs/'.length)] : undefined
    return isRecord(found) ? found : {}
  }

  #drawType(schema: JsonSchema, at: { root: JsonSchema; depth: number }): unknown {
    const { root, depth } = at
    switch (schema['type']) {
      case 'object':
        return this.#object(schema, at)
      case 'array': {
        const { items } = schema
        const [least, most] = [numberIn(schema, 'minItems', 0), numberIn(schema, 'maxItems', 4)]
        const count = this.#edge(least, Math.min(most, 40))
        const one = isRecord(items) ? items : {}
        return Array.from({ length: count }, () => this.draw(one, root, depth))
      }
      case 'string':
        return this.#text(schema)
      case 'integer':
      case 'number':
        return this.#number(schema)
      case 'boolean':
        return this.#dice.chance(0.5)
      case 'null':
        return null
      default:
        return this.#text({})
    }
  }

  #object(schema: JsonSchema, { root, depth }: { root: JsonSchema; depth: number }): object {
    const required: unknown[] = Array.isArray(schema['required']) ? schema['required'] : []
    const properties = isRecord(schema['properties']) ? schema['properties'] : {}
    const fields = Object.entries(properties).filter(
      ([name]) => required.includes(name) || this.#dice.chance(0.5),
    )
    return Object.fromEntries(
      fields.map(([name, one]) => [name, this.draw(isRecord(one) ? one : {}, root, depth)]),
    )
  }

  /** Mostly inside, at times at a border, seldom beyond one. */
  #edge(least: number, most: number): number {
    const kind = this.#dice.next()
    if (kind < 0.15) return least
    if (kind < 0.25) return most
    if (kind < 0.3) return Math.max(0, least - 1)
    if (kind < 0.35) return most + 1
    return least + this.#dice.below(Math.max(1, most - least + 1))
  }

  #number(schema: JsonSchema): number {
    if (this.#dice.chance(0.1)) return this.#dice.one(NUMBERS)
    const least = numberIn(schema, 'minimum', 0)
    const most = numberIn(schema, 'maximum', least + 100)
    const whole = this.#edge(Math.ceil(least), Math.floor(most))
    return schema['type'] === 'integer' || this.#dice.chance(0.7)
      ? whole
      : whole + this.#dice.next()
  }

  #text(schema: JsonSchema): string {
    const fits = fitsIn(schema)
    const known = this.#known()
    for (let tries = 0; tries < 12; tries++) {
      const list = known.length > 0 && this.#dice.chance(0.5) ? known : PLAUSIBLE
      const text = this.#dice.one(list)
      if (fits(text)) return text
    }
    const good = [...PLAUSIBLE, ...known].filter(fits)
    if (good.length > 0) return this.#dice.one(good)
    const least = numberIn(schema, 'minLength', 1)
    return 'word '
      .repeat(200)
      .slice(0, this.#edge(least, numberIn(schema, 'maxLength', least + 20)))
  }
}

/** Whether a text is as long as a schema wants it and of its pattern. */
function fitsIn(schema: JsonSchema): (text: string) => boolean {
  const { pattern } = schema
  const form = typeof pattern === 'string' ? new RegExp(pattern, 'u') : null
  const least = numberIn(schema, 'minLength', 0)
  const most = numberIn(schema, 'maxLength', Number.POSITIVE_INFINITY)
  return (text) => text.length >= least && text.length <= most && (form === null || form.test(text))
}
