import * as z from 'zod/mini'
import { type Field, fieldsOf, type JsonSchema } from '#server/rest/schema-text.ts'
import { escaped } from './html.ts'

const Schemas = z.array(z.record(z.string(), z.unknown()))
const Schema = z.record(z.string(), z.unknown())

function variants(schema: JsonSchema): JsonSchema[] | null {
  const found = Schemas.safeParse(schema['anyOf'] ?? schema['oneOf'])
  return found.success ? found.data : null
}

/** What a field may be, in a word or two: "text", "uk or usa", "list of text". */
function typeText(schema: JsonSchema): string {
  const { type, enum: values, const: only } = schema
  if (only !== undefined) return JSON.stringify(only)
  if (Array.isArray(values)) return values.map((value) => `${value}`).join(' | ')
  const either = variants(schema)
  if (either !== null) return [...new Set(either.map(typeText))].join(' | ')
  if (type === 'array') return `list of ${typeText(Schema.safeParse(schema['items']).data ?? {})}`
  if (type === 'string') return schema['format'] === 'binary' ? 'file' : 'text'
  if (type === 'integer') return 'whole number'
  return typeof type === 'string' ? type : 'anything'
}

const number = (value: unknown) => Number(value).toLocaleString('en-GB')

/** The bounds of a field, and what its contract says about it. */
function notesOf(schema: JsonSchema): string {
  const notes: string[] = []
  const { description, maxLength, minLength, minimum, maximum, default: usual } = schema
  if (typeof description === 'string') notes.push(description)
  if (typeof minLength === 'number' && minLength > 1)
    notes.push(`At least ${minLength} characters.`)
  if (typeof maxLength === 'number') notes.push(`At most ${number(maxLength)} characters.`)
  const isBounded = typeof minimum === 'number' && typeof maximum === 'number'
  if (isBounded && maximum < Number.MAX_SAFE_INTEGER) {
    notes.push(`${number(minimum)} to ${number(maximum)}.`)
  }
  if (usual !== undefined && usual !== '') notes.push(`Usually ${JSON.stringify(usual)}.`)
  return notes.join(' ')
}

/** Rows of a table of fields; those of an object stand under it. */
export function fieldRows(schema: JsonSchema, prefix = ''): string[][] {
  return fieldsOf(schema).flatMap((field: Field) => {
    const name = `${prefix}${field.name}`
    const own = [
      `<code>${escaped(name)}</code>${field.isRequired ? '' : ' <span class="optional">optional</span>'}`,
      escaped(typeText(field.schema)),
      escaped(notesOf(field.schema)),
    ]
    return [own, ...fieldRows(field.schema, `${name}.`)]
  })
}
