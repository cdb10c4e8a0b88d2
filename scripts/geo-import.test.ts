import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openDatabase } from '#db/engine.ts'
import { listSectors, listUnits } from '#db/geo/store.ts'
import { makeTree, runScript } from './test/run-script.ts'

const LIST = `postcode,lat,lon
SW1A1AA,51.5010,-0.1416
BT11AA,54.602,-5.925
M11AE,,
`

/** Runs as npm does: in the project's folder, with the folder of the person passed along. */
function geoImport(folder: string, ...args: string[]) {
  return runScript('geo-import', args, { INIT_CWD: folder, DATA_DIR: join(folder, 'data') })
}

async function postcodesIn(folder: string): Promise<string[]> {
  const database = openDatabase(`sqlite:${join(folder, 'data', 'apposite.db')}`)
  const units = await listUnits(database.db, '', 10)
  expect(await listSectors(database.db, 'SW1A 1', 1)).toHaveLength(1)
  await database.close()
  return units.map((unit) => unit.postcode)
}

test('imports a list into the server’s database, creating it if necessary', async () => {
  using tree = makeTree({ 'list.csv': LIST })
  const first = geoImport(tree.root, 'list.csv')
  expect(first.err).toBe('')
  expect(first.code).toBe(0)
  expect(first.out).toContain('list.csv: 1 postcode\n')
  expect(first.out).toContain('left out, without coordinates: 1 (M11AE)')
  expect(first.out).toContain('left out, Northern Ireland, licence not confirmed: 1 (BT11AA)')
  expect(await postcodesIn(tree.root)).toEqual(['SW1A1AA'])

  expect(geoImport(tree.root, '--include-bt', 'list.csv').code).toBe(0)
  expect(await postcodesIn(tree.root)).toEqual(['BT11AA', 'SW1A1AA'])
})

test.each([
  [[], 2, 'Name the file or folder to read: npm run geo:import -- FILE'],
  [['none.csv'], 1, 'There is no file or folder at'],
  [['list.csv', 'other.csv'], 2, 'One file or folder at a time'],
  [['--bt', 'list.csv'], 2, "Unknown option '--bt'"],
  [['docs'], 1, 'There are no lists in docs.'],
])('%j is refused with the exit code %i and a sentence', (args, exitCode, sentence) => {
  using tree = makeTree({ 'list.csv': LIST, 'docs/readme.md': '' })
  const { code, err } = geoImport(tree.root, ...args)
  expect(err).toContain(sentence)
  expect(err).not.toContain('    at ')
  expect(code).toBe(exitCode)
})

test('a file in another format is refused by name, listing the formats', () => {
  using tree = makeTree({ 'list.txt': 'Hello' })
  const { code, err } = geoImport(tree.root, 'list.txt')
  expect(err).toContain('list.txt holds no list in a known format. Known are: Code-Point Open')
  expect(code).toBe(1)
})
