import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeTree, runScript } from './test/run-script.ts'

const SECRET_KEY = 'a key of thirty-two letters or so'

test.each([
  ['reindex', []],
  ['staff-recover', ['ada@staff.example']],
])('%s in a data folder without a database says so and leaves nothing behind', (name, args) => {
  using tree = makeTree({ 'notes.txt': '' })
  const { code, err } = runScript(name, args, { DATA_DIR: tree.root, SECRET_KEY })
  expect([code, err]).toEqual([2, `There is no database at ${join(tree.root, 'apposite.db')}.\n`])
  expect(readdirSync(tree.root)).toEqual(['notes.txt'])
})

test.each([
  ['staff-recover', ['ada@staff.example'], 2],
  ['backup', ['backups'], 1],
  ['restore', ['backup'], 1],
])('%s without SECRET_KEY says so and makes no key', (name, args, exitCode) => {
  using tree = makeTree({ 'notes.txt': '' })
  // A restore is where there is no database.
  if (name !== 'restore') writeFileSync(join(tree.root, 'apposite.db'), '')
  const before = readdirSync(tree.root)
  const { code, err } = runScript(name, args, { DATA_DIR: tree.root, INIT_CWD: tree.root })
  expect([code, err]).toEqual([
    exitCode,
    'SECRET_KEY is missing. It has to be the one of the server.\n',
  ])
  expect(readdirSync(tree.root)).toEqual(before)
})
