import type { Dice } from './dice.ts'
import { type Drawer, joined } from './from-schema.ts'
import { spoil } from './spoil.ts'
import type { ProcedureTarget, RestTarget, Target } from './targets.ts'
import { NASTY, PLAUSIBLE } from './texts.ts'

/** A request before it is made: what a `Request` takes, and what can still be spoilt of it. */
export type Sketch = {
  method: string
  path: string
  headers: Record<string, string>
  body: string | Uint8Array<ArrayBuffer> | FormData | null
}

export type Means = {
  dice: Dice
  drawer: Drawer
  /** Puts what exists in the place of ids and times that do not. */
  enliven: (value: unknown) => unknown
}

const JSON_TYPE = 'application/json'

/** A picture of one dot. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
)

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Spoilt once or twice, or left as it is. */
function perhapsSpoilt(value: unknown, dice: Dice, share = 0.6): unknown {
  if (!dice.chance(share)) return value
  const once = spoil(value, dice)
  return dice.chance(0.25) ? spoil(once, dice) : once
}

/** JSON text; a lone surrogate stays one by its escape. */
function jsonOf(value: unknown): string {
  return JSON.stringify(value) ?? ''
}

function inputFor({ sample, schemas }: ProcedureTarget, { dice, drawer, enliven }: Means): unknown {
  if (schemas.length === 0 || dice.chance(0.5)) return perhapsSpoilt(enliven(sample), dice)
  const drawnOnes = schemas.map((schema) => drawer.draw(schema))
  const value = drawnOnes.every(isRecord) ? joined(drawnOnes) : drawnOnes[0]
  return perhapsSpoilt(dice.chance(0.5) ? enliven(value) : value, dice, 0.4)
}

function trpcSketch(target: ProcedureTarget, means: Means): Sketch {
  const text = jsonOf(inputFor(target, means))
  const path = `/trpc/${target.path}`
  if (target.method === 'POST') {
    return { method: 'POST', path, headers: { 'content-type': JSON_TYPE }, body: text }
  }
  const query = encodeURIComponent(text.toWellFormed())
  return { method: 'GET', path: `${path}?input=${query}`, headers: {}, body: null }
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  return jsonOf(value)
}

function filledPath({ call }: RestTarget, { dice, enliven }: Means): string {
  const { params = {} } = call.example
  return call.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const example = enliven(params[name] ?? 'x')
    const value = dice.chance(0.8) ? textOf(example) : dice.one([...NASTY, ...PLAUSIBLE])
    return encodeURIComponent(value.toWellFormed()) || '%20'
  })
}

function queryOf({ call, query }: RestTarget, { dice, drawer, enliven }: Means): string {
  const drawnOne = query === null ? {} : drawer.draw(query)
  const from = dice.chance(0.5) ? enliven(call.example.query ?? {}) : drawnOne
  const value = perhapsSpoilt(from, dice, 0.4)
  if (!isRecord(value)) return ''
  const pairs = Object.entries(value).map(([name, one]) => [name, textOf(one).toWellFormed()])
  const text = new URLSearchParams(pairs.map(([name = '', one = '']) => [name.toWellFormed(), one]))
  return text.size === 0 ? '' : `?${text.toString()}`
}

function formOf(value: unknown, dice: Dice): FormData {
  const form = new FormData()
  for (const [name, one] of Object.entries(isRecord(value) ? value : {})) {
    form.append(name.toWellFormed(), textOf(one).toWellFormed())
    if (dice.chance(0.1)) form.append(name.toWellFormed(), 'again')
  }
  if (dice.chance(0.7)) {
    const bytes = dice.chance(0.6) ? PNG : Buffer.from(dice.one(NASTY))
    const type = dice.one(['image/png', 'image/png', 'image/webp', 'text/html', ''])
    const field = dice.one(['image', 'images', 'profile_image', 'file', 'photo', 'modal_image'])
    form.append(field, new Blob([bytes], { type }), dice.one(['a.png', '../../a.png', 'a\0.png']))
  }
  return form
}

function restBody(target: RestTarget, means: Means): Pick<Sketch, 'headers' | 'body'> {
  const { dice, drawer, enliven } = means
  const { call, body } = target
  if (call.method === 'GET' || (body.length === 0 && call.example.body === undefined)) {
    return { headers: {}, body: null }
  }
  const example = enliven(call.example.body ?? {})
  if (body.length === 0) {
    return { headers: { 'content-type': JSON_TYPE }, body: jsonOf(perhapsSpoilt(example, dice)) }
  }
  const [kind, schema] = dice.one(body)
  const drawnOne = dice.chance(0.5) ? enliven(drawer.draw(schema)) : drawer.draw(schema)
  const value = perhapsSpoilt(dice.chance(0.5) ? example : drawnOne, dice, 0.5)
  if (kind === 'form') return { headers: {}, body: formOf(value, dice) }
  if (kind === 'text') return { headers: { 'content-type': 'text/plain' }, body: textOf(value) }
  return { headers: { 'content-type': JSON_TYPE }, body: jsonOf(value) }
}

function restSketch(target: RestTarget, means: Means): Sketch {
  const path = `${filledPath(target, means)}${queryOf(target, means)}`
  return { method: target.call.method, path, ...restBody(target, means) }
}

function uploadSketch(path: string, { dice }: Means): Sketch {
  const type = dice.one(['image/png', 'image/webp', 'application/pdf', 'text/html', 'image/png;x'])
  const start = dice.one(['%PDF-1.7\n', 'RIFF\0\0\0\0WEBP', '<svg/>', ''])
  const body = dice.chance(0.5) ? new Uint8Array(PNG) : Uint8Array.from(Buffer.from(start))
  return { method: 'POST', path, headers: { 'content-type': type }, body }
}

/** A request to a target: what it takes, or something near it. */
export function sketch(target: Target, means: Means): Sketch {
  if (target.kind === 'trpc') return trpcSketch(target, means)
  return target.kind === 'rest' ? restSketch(target, means) : uploadSketch(target.path, means)
}
