import * as z from 'zod/mini'

/** A JSON schema, as far as it is looked into here. */
export type JsonSchema = { readonly [word: string]: unknown }

const Plain = z.record(z.string(), z.unknown())

/** The JSON Schema (2020-12) of what a schema takes (`input`) or gives (`output`). */
export function jsonSchemaOf(schema: z.ZodMiniType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...made } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return Plain.parse(made)
}

/** One field of an object: what it is called, what it may be, and whether it has to be there. */
export type Field = { name: string; schema: JsonSchema; isRequired: boolean }

/** The fields of an object schema, in their order. */
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
