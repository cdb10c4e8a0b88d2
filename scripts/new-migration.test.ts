import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { addMigration } from '#scripts/new-migration.ts'
import { makeTree } from './test/run-script.ts'

const REGISTRY = `import type { Migration } from 'kysely/migration'
import * as geo from './0001-geo.ts'

/** Every migration in order. */
export const migrations: Record<string, Migration> = {
  '0001-geo': geo,
}
`

test('takes the next number, and appends the migration to the registry', () => {
  using tree = makeTree({ '0001-geo.ts': '', 'dialect.ts': '', 'registry.ts': REGISTRY })
  expect(addMigration(tree.root, 'bank-accounts')).toBe('0002-bank-accounts.ts')
  expect(addMigration(tree.root, 'geo')).toBe('0003-geo.ts')
  expect(
    readFileSync(join(tree.root, 'registry.ts'), 'utf8'),
  ).toBe(`import type { Migration } from 'kysely/migration'
import * as geo from './0001-geo.ts'
import * as bankAccounts from './0002-bank-accounts.ts'
import * as geo3 from './0003-geo.ts'

/** Every migration in order. */
export const migrations: Record<string, Migration> = {
  '0001-geo': geo,
  '0002-bank-accounts': bankAccounts,
  '0003-geo': geo3,
}
`)
  expect(readFileSync(join(tree.root, '0002-bank-accounts.ts'), 'utf8')).toContain(
    'export async function down',
  )
})

test.each(['', 'Bank accounts', 'bank_accounts', '../evil'])('the name %j is refused', (topic) => {
  using tree = makeTree({ 'registry.ts': REGISTRY })
  expect(() => addMigration(tree.root, topic)).toThrow('kebab case')
})
