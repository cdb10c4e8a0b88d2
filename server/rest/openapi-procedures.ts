import * as z from 'zod/mini'
import type { Access } from '#server/kernel/access.ts'
import { type Declaration, procedures } from '#server/procedures.ts'
import { type JsonSchema, jsonSchemaOf } from './json-schema.ts'
import { whoIn } from './who.ts'

/** What every failed procedure answers, as `ErrorData` has it. */
export const PROCEDURE_ERROR: JsonSchema = {
  type: 'object',
  description:
    'An error. `error.data.appCode` is stable and for programs, `error.message` is for people.',
  properties: {
    error: {
      type: 'object',
      properties: {
        message: { type: 'string', examples: ['Oops! This slot is already booked.'] },
        code: { type: 'integer' },
        data: {
          type: 'object',
          properties: {
            appCode: { type: 'string', examples: ['slot_taken'] },
            httpStatus: { type: 'integer', examples: [409] },
            requestId: { type: 'string' },
            details: { type: 'object' },
            issues: { type: 'array', items: { type: 'object' } },
          },
          required: ['appCode', 'httpStatus', 'requestId'],
        },
      },
      required: ['message', 'data'],
    },
  },
  required: ['error'],
}

function scopeText({ scope }: Access): string {
  return scope === 'any' ? 'Any access token may call it.' : `Access tokens need \`${scope}\`.`
}

/** The input of a query travels in the address, as JSON; that of a mutation is the body. */
function inputOf({ kind, input }: Declaration): JsonSchema {
  const schema = jsonSchemaOf(input, 'input')
  const content = { 'application/json': { schema } }
  const isNeeded = Array.isArray(schema['required']) && schema['required'].length > 0
  if (kind === 'mutation') return { requestBody: { required: isNeeded, content } }
  const isEmpty =
    Object.keys(z.parse(z.record(z.string(), z.unknown()), schema['properties'] ?? {})).length === 0
  if (isEmpty) return {}
  return { parameters: [{ name: 'input', in: 'query', required: isNeeded, content }] }
}

function operationOf(path: string, declaration: Declaration): JsonSchema {
  const { kind, meta, output } = declaration
  const input = inputOf(declaration)
  const key = { $ref: '#/components/parameters/IdempotencyKey' }
  const takesKey = kind === 'mutation' && !meta.may.includes('visitor')
  const data = jsonSchemaOf(output, 'output')
  const result = {
    type: 'object',
    properties: {
      result: { type: 'object', properties: { data }, required: ['data'] },
    },
    required: ['result'],
  }
  return {
    operationId: path.replace('.', '_'),
    tags: ['Procedures'],
    summary: path,
    description: `For ${whoIn(meta.may)}. ${scopeText(meta)}`,
    ...input,
    ...(takesKey ? { parameters: [key] } : {}),
    responses: {
      200: { description: 'Success.', content: { 'application/json': { schema: result } } },
      default: {
        description: 'Refused; the status follows from the code.',
        content: {
          'application/json': { schema: { $ref: '#/components/schemas/ProcedureError' } },
        },
      },
    },
    security: meta.may.includes('visitor') ? [] : [{ bearer: [] }, { session: [] }],
  }
}

/** The procedures of `/trpc` that an access token may call, as OpenAPI paths made from the router. */
export function procedurePaths(): Record<string, Record<string, JsonSchema>> {
  const callable = [...procedures].filter(([, { meta }]) => meta.scope !== undefined)
  return Object.fromEntries(
    callable.map(([path, declaration]) => [
      `/trpc/${path}`,
      { [declaration.kind === 'query' ? 'get' : 'post']: operationOf(path, declaration) },
    ]),
  )
}
