import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { addMigration } from '#scripts/new-migration.ts'
import { makeTree } from './test/run-script.ts'

test('takes the next number', () => {
  using tree = makeTree({ '0001-geo.ts': '', 'dialect.ts': '', 'registry.ts': '' })
  expect(addMigration(tree.root, 'bank-accounts')).toBe('0002-bank-accounts.ts')
  expect(addMigration(tree.root, 'geo')).toBe('0003-geo.ts')
  expect(readFileSync(join(tree.root, '0002-bank-accounts.ts'), 'utf8')).toContain(
    'export async function down',
  )
})

test.each(['', 'Bank accounts', 'bank_accounts', '../evil'])('the name %j is refused', (topic) => {
  using tree = makeTree({})
  expect(() => addMigration(tree.root, topic)).toThrow('kebab case')
})
