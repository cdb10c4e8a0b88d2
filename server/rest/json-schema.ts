import * as z from 'zod/mini'

/** A JSON schema, as loosely typed as needed here. */
export type JsonSchema = { readonly [word: string]: unknown }

const Plain = z.record(z.string(), z.unknown())

/** The JSON Schema (2020-12) of what a schema accepts (`input`) or returns (`output`). */
export function jsonSchemaOf(schema: z.core.$ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...made } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return Plain.parse(made)
}

/** One property of an object schema. */
export type Field = { name: string; schema: JsonSchema; isRequired: boolean }

/** The properties of an object schema, in order. */
export function fieldsOf(schema: JsonSchema): Field[] {
  const properties = Plain.safeParse(schema['properties'])
  if (!properties.success) return []
  const required = z.array(z.string()).safeParse(schema['required'])
  return Object.entries(properties.data).map(([name, field]) => ({
    name,
    schema: Plain.parse(field),
    isRequired: required.success && required.data.includes(name),
  }))
}
