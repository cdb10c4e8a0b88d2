import { execFile } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { makeTree } from './test/run-script.ts'

const run = promisify(execFile)
const script = join(import.meta.dirname, 'build-geo.ts')

const POSTCODES = `postcode,lat,lon
SW1A 1AC,58,-7
SW1A 1AA,51.5014,-0.1404
SW1A 1AB,51.502,-0.141
M1 1AE,53.4835,-2.2312
M1 1AF,53.4845,-2.2332
BT1 5GS,54.597,-5.93
nonsense,1,2
`

const SECTORS = `sector	latitude	longitude	postcodes
M1 1	53.484	-2.232	2
SW1A 1	51.502	-0.141	3
`

test.each(['postcodes.csv', 'postcodes.csv.gz'])('%s becomes medians by sector', async (name) => {
  using tree = makeTree({})
  writeFileSync(join(tree.root, name), name.endsWith('.gz') ? gzipSync(POSTCODES) : POSTCODES)
  const output = join(tree.root, 'sectors.tsv')
  const { stdout } = await run(process.execPath, [script, join(tree.root, name), output])
  expect(readFileSync(output, 'utf8')).toBe(SECTORS)
  expect(stdout).toContain('2 sectors from 5 postcodes.')
  expect(stdout).toContain('Northern Ireland')
  expect(stdout).toContain('nonsense')
})

test('a file without postcodes does not change the table', async () => {
  using tree = makeTree({ 'notes.csv': 'name,age\nAnn,7\n' })
  const output = join(tree.root, 'sectors.tsv')
  await expect(
    run(process.execPath, [script, join(tree.root, 'notes.csv'), output]),
  ).rejects.toThrow('No postcodes found')
  expect(existsSync(output)).toBe(false)
})

test('without a file it prints the usage', async () => {
  await expect(run(process.execPath, [script])).rejects.toThrow('npm run geo:build -- FILE')
})
