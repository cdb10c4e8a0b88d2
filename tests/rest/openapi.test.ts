import { validate } from '@hyperjump/json-schema/openapi-3-1'
import { Validator } from '@seriousme/openapi-schema-validator'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { restCalls } from '#server/rest/calls.ts'
import { openApiOf } from '#server/rest/openapi.ts'

// Two independent validators: one on ajv, one with its own implementation of JSON Schema.

const Document = z.record(z.string(), z.json())
type Document = z.infer<typeof Document>

/** The document after a JSON round trip, which drops what JSON cannot express. */
function documentOf(): Document {
  return Document.parse(JSON.parse(JSON.stringify(openApiOf(restCalls, 'A guide.'))))
}

const validators: [string, (document: Document) => Promise<boolean>][] = [
  [
    '@seriousme/openapi-schema-validator',
    async (document) => (await new Validator().validate({ ...document })).valid,
  ],
  [
    '@hyperjump/json-schema',
    async (document) => {
      const schema = 'https://spec.openapis.org/oas/3.1/schema-base'
      return (await validate(schema, document)).valid
    },
  ],
]

test.each(validators)('the document is valid by %s', async (_name, isValid) => {
  expect(await isValid(documentOf())).toBe(true)
})

const broken: [string, Document][] = [
  ['without a title', { info: { version: '1' } }],
  ['with a method nobody knows', { paths: { '/a': { fetch: {} } } }],
  ['with a schema of a type nobody knows', { components: { schemas: { A: { type: 'text' } } } }],
]

test.each(validators)('a document that is broken is not valid by %s', async (_name, isValid) => {
  for (const [what, change] of broken) {
    expect([what, await isValid({ ...documentOf(), ...change })]).toEqual([what, false])
  }
})
