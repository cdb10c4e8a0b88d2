import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openDatabase } from '#db/engine.ts'
import { makeTree, runScript } from './test/run-script.ts'

const LIST = `registration_number,first_name,last_name,status
${Array.from({ length: 30 }, (_, at) => `${7_000_001 + at},Ann,Lee,Suspended`).join('\n')}
x,Ann,Lee,Suspended
`

/** Runs as npm does: in the project's folder, with the folder of the person passed along. */
function registryImport(folder: string, ...args: string[]) {
  return runScript('registry-import', args, { INIT_CWD: folder, DATA_DIR: join(folder, 'data') })
}

test('imports a list into the server’s database, creating it if necessary', async () => {
  using tree = makeTree({ 'list.csv': LIST })
  const { code, out, err } = registryImport(tree.root, 'gmc', 'list.csv')
  expect(err).toBe('list.csv, line 32: "x" is no GMC number\n')
  expect(out).toBe('GMC: 30 entries, 1 left out, 0 skipped\n')
  expect(code).toBe(0)
  const database = openDatabase(`sqlite:${join(tree.root, 'data', 'apposite.db')}`)
  const entry = database.db
    .selectFrom('register_entries')
    .select('name')
    .where('registration_number', '=', '7000030')
  expect(await entry.execute()).toEqual([{ name: 'Ann Lee' }])
  await database.close()
})

test.each([
  [[], 2, 'npm run registry:import -- gmc FILE.csv'],
  [['gmc'], 2, 'npm run registry:import -- gmc FILE.csv'],
  [['nmc', 'list.csv'], 2, 'npm run registry:import -- gmc FILE.csv'],
  [['gmc', 'none.csv'], 1, 'There is no file or folder at'],
  [['gmc', 'docs'], 1, 'docs is not one file.'],
  [['gmc', 'docs/none.csv'], 1, 'The first line lacks the columns "gmc_ref_no" or'],
  [['gdc', 'list.csv'], 1, 'None of its rows could be read. Line 2 "7000001" is no GDC number.'],
  [['--all', 'gmc', 'list.csv'], 2, "Unknown option '--all'"],
])('%j is refused with the exit code %i and a sentence', (args, exitCode, sentence) => {
  using tree = makeTree({ 'list.csv': LIST, 'docs/none.csv': 'Hello', 'docs/other.csv': LIST })
  const { code, err } = registryImport(tree.root, ...args)
  expect(err).toContain(sentence)
  expect(err).not.toContain('    at ')
  expect(code).toBe(exitCode)
})

test('a database that cannot be reached is named in a line', () => {
  using tree = makeTree({ 'list.csv': LIST })
  const { code, err } = runScript('registry-import', ['gmc', 'list.csv'], {
    INIT_CWD: tree.root,
    DATA_DIR: join(tree.root, 'data'),
    DATABASE_URL: 'postgres://127.0.0.1:1/apposite',
  })
  expect(err).toBe('connect ECONNREFUSED 127.0.0.1:1\n')
  expect(code).toBe(1)
})
