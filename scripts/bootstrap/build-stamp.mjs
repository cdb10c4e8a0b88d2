import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { capture, runtimePath, withProgress } from './process.mjs'
import { filesBelow, readJson, root } from './tree.mjs'

const INPUTS = [
  'src',
  'contract',
  'client',
  'public',
  'vite.config.ts',
  'scripts/build.ts',
  'scripts/build',
  'scripts/browsers',
  'scripts/build-map.ts',
  'scripts/map',
  'db/geo/uk-sectors.tsv',
  'package.json',
  'package-lock.json',
]
// Written by the build itself, and by test runs: neither says that the build is old.
const NOT_INPUTS = /^src\/routeTree\.gen\.ts$|\.test\.tsx?$/

/** File in which a build records what it was made from. */
const stampFile = join('dist', 'stamp.json')

/** One hash over the names and contents of everything the build reads. */
export function hashInputs() {
  const hash = createHash('sha256')
  for (const input of INPUTS) {
    for (const file of filesBelow(join(root, input))) {
      const name = relative(root, file).split(sep).join('/')
      if (NOT_INPUTS.test(name)) continue
      const content = readFileSync(file)
      hash.update(`${name}\0${content.length}\0`).update(content)
    }
  }
  return hash.digest('hex')
}

/** Whether `dist` was made from exactly the current files. */
export function buildIsFresh() {
  return readJson(join(root, stampFile))?.inputs === hashInputs()
}

/** Builds the site unless `dist` was made from exactly these files. */
export async function ensureBuilt() {
  if (buildIsFresh()) return
  await withProgress('Building the site', async () => {
    const { code, output } = await capture(runtimePath(), ['scripts/build.ts'], { cwd: root })
    if (code !== 0) throw new Error(`The site could not be built.\n\n${output.trim()}`)
  })
}
