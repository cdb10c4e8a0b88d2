import { expect, test } from 'vitest'
import { accessTable } from '#server/kernel/access.ts'
import { leavesOf, outputSchema, procedurePaths, walkSchema } from '#tests/harness/procedures.ts'

const paths = procedurePaths.toSorted()

/** The roles that may call a procedure, as text. */
function readersOf(path: string): string {
  const may = accessTable.get(path)?.may ?? []
  return may.includes('visitor') ? 'everybody' : may.join(' ')
}

function describeOutput(path: string): string {
  const keys = leavesOf(outputSchema(path)).map(
    (way) => `  ${way === '' ? '(the answer itself)' : way}`,
  )
  return [`${path}: ${readersOf(path)}`, ...keys].join('\n')
}

// ASVS 8.2.3, 15.3.1: every new field must be reviewed.
test('every field of every answer is known, and who gets it', async () => {
  const text = `${paths.map(describeOutput).join('\n\n')}\n`
  await expect(text).toMatchFileSnapshot('./answers.txt')
})

test.each(paths)('%s answers with nothing its schema does not name', (path) => {
  const open = walkSchema(outputSchema(path)).filter(([, schema]) => {
    const { type, properties, additionalProperties: more } = schema
    // When `additionalProperties` is left out or empty, any field would pass.
    return type === 'object' && properties !== undefined && more !== false
  })
  expect(open.map(([way]) => way)).toEqual([])
})

/** Field names that must never leave the server. */
const SECRET_FIELDS =
  /(?<!must_change_)password|hash|totp|seal(?!ed|\b)|secret_key|\.no$|account_no|provider_no/i

test('no answer has a field for what must not leave the server', () => {
  const found = paths.flatMap((path) =>
    leavesOf(outputSchema(path))
      .filter((way) => SECRET_FIELDS.test(way))
      .map((way) => path + way),
  )
  expect(found).toEqual([])
})
