import { existsSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import {
  inRoot,
  linesMatching,
  read,
  repositoryFiles,
  sourceFiles,
  textFiles,
} from './repository.ts'

const isTest = (path: string): boolean => /\.(test|e2e)\.tsx?$|^tests\//.test(path)

function lengths(paths: string[]): { path: string; lines: number }[] {
  return paths.map((path) => ({ path, lines: read(path).trimEnd().split('\n').length }))
}

test('no source file, test or style sheet is longer than 400 lines', async ({ annotate }) => {
  const paths = [...sourceFiles(), ...textFiles(/\.css$/)]
  expect(paths.length).toBeGreaterThan(150)
  const all = lengths(paths)
  const sources = all.filter(({ path }) => !isTest(path)).map(({ lines }) => lines)
  const half = sources.toSorted((a, b) => a - b)[Math.floor(sources.length / 2)]
  await annotate(`half of ${sources.length} source files have at most ${half} lines; the aim is 80`)
  expect(all.filter(({ lines }) => lines > 400)).toEqual([])
})

test('no file names a local path or a package host', () => {
  const texts = textFiles()
  expect(texts.length).toBeGreaterThan(200)
  // Built from pieces, because this file is searched too.
  const places = ['work', 'root', 'mnt', 'Users/[A-Za-z]+', 'home/[a-z]+'].map((one) => `/${one}/`)
  const hosts = ['registry\\.npm', 'registry\\.yarn', 'npmmirror', 'artifactory', 'verdaccio']
  const pattern = new RegExp(`(^|[\\s"'\`(=:])(${places.join('|')})|${hosts.join('|')}`)
  const elsewhere = texts.filter((path) => path !== 'tests/arch/files.test.ts')
  expect(linesMatching(elsewhere, pattern)).toEqual([])
})

test('no test is skipped, postponed or exclusive', () => {
  const tests = textFiles(/\.(test|e2e)\.tsx?$/)
  expect(tests.length).toBeGreaterThan(20)
  const putOff = /\b(test|it|describe|suite)(\.\w+)*\.(only|skip|todo|fixme|skipIf|runIf)\b/
  expect(linesMatching(tests, putOff)).toEqual([])
})

test('nothing at run time reads from outside the repository', () => {
  const sources = sourceFiles().filter((path) => !isTest(path))
  expect(sources.length).toBeGreaterThan(100)
  expect(linesMatching(sources, /\.\.\/shared\b|['"`/]shared\/(data|design|spec)/)).toEqual([])
})

const DATA_SETS = [
  'db/geo/english-villages.tsv',
  'db/geo/geonames-villages.tsv',
  'db/geo/london-places.tsv',
  'db/geo/uk-sectors.tsv',
  'db/geo/us-zip-zones.tsv',
]

test('no data set is committed except the tables of sectors, villages and time zones', () => {
  const files = repositoryFiles()
  const dataSets = files.filter((path) =>
    /\.(csv|tsv|gz|zip|pmtiles|db|sqlite|parquet)$/.test(path),
  )
  expect(dataSets.toSorted()).toEqual(DATA_SETS)
  const large = files.filter((path) => statSync(inRoot(path)).size > 500_000)
  expect(large.filter((path) => !DATA_SETS.includes(path))).toEqual([])
})

/** Links and images in a Markdown page, except anchors on the page itself. */
const LINKED = /\]\(([^)\s#]+)(?:#[^)]*)?\)|<img src="([^"]+)"/g

test('links and images of the guides exist, and no image is large', () => {
  const pages = repositoryFiles().filter((path) => path.endsWith('.md'))
  const linked = pages.flatMap((page) =>
    [...read(page).matchAll(LINKED)]
      .map(([, link = '', picture]) => picture ?? link)
      .filter((to) => !/^(\w+:|\/)/.test(to))
      .map((to) => ({ page, path: join(dirname(page), to) })),
  )
  expect(linked.length).toBeGreaterThan(30)
  expect(linked.filter(({ path }) => !existsSync(inRoot(path)))).toEqual([])
  const pictures = repositoryFiles().filter((path) => /^docs\/.*\.(webp|png)$/.test(path))
  expect(pictures.filter((path) => statSync(inRoot(path)).size > 80_000)).toEqual([])
  const shown = new Set(linked.map(({ path }) => path))
  expect(pictures.filter((path) => !shown.has(path))).toEqual([])
})

/** A source file named by its path, as in `server/main.ts`. */
const NAMED_FILE = /`((?:[\w$-]+\/)+[\w.$-]+\.(?:tsx?|mjs))`/g

test('files named in the guides exist; decisions may name former ones', () => {
  const pages = repositoryFiles().filter((path) => /^(docs\/)?[\w-]+\.md$/.test(path))
  const named = pages.flatMap((page) =>
    [...read(page).matchAll(NAMED_FILE)].map(([, path = '']) => ({ page, path })),
  )
  expect(named.length).toBeGreaterThan(30)
  expect(named.filter(({ path }) => !existsSync(inRoot(path)))).toEqual([])
})

/** The only top-level files whose name begins with a dot. */
const DOT_FILES = [
  '.dockerignore',
  '.editorconfig',
  '.env.example',
  '.gitattributes',
  '.gitignore',
  '.nvmrc',
  '.oxlintrc.json',
]

test('no database is committed, nor an unknown top-level dot file', () => {
  const files = repositoryFiles()
  const databases = files.filter((path) => /\.(db|sqlite3?)$|-(wal|shm|journal)$/.test(path))
  expect(databases).toEqual([])
  // A database may have any name, but SQLite files all begin with the same header.
  const small = files.filter((path) => statSync(inRoot(path)).size < 500_000)
  expect(small.filter((path) => read(path).startsWith('SQLite format 3\0'))).toEqual([])
  expect(files.filter((path) => /^\.[^/]*$/.test(path)).toSorted()).toEqual(DOT_FILES)
})

/** Re-exports from another file of ours, not from a package. */
const PASSED_ON = /^export (type )?(\*|\{[^}]*\})[^'"]*from '[.#]/m

test('no file is a barrel', () => {
  const sources = sourceFiles().filter((path) => path !== 'client/apposite-client.ts')
  const index = sources.filter((path) => /(^|\/)index\.tsx?$/.test(path))
  expect(index.filter((path) => !path.startsWith('src/routes/'))).toEqual([])
  expect(sources.filter((path) => PASSED_ON.test(read(path)))).toEqual([])
})

test('demo differences are in one file, and in what assembles the process', () => {
  const allowed =
    /^server\/(kernel\/demo-mode|kernel\/config\/config|start|prepare|jobs\/registry)\.ts$/
  const elsewhere = sourceFiles().filter(
    (path) => path.startsWith('server/') && !isTest(path) && !allowed.test(path),
  )
  expect(linesMatching(elsewhere, /\bconfig\.demo\b|DEMO_MODE/)).toEqual([])
})

const Versions = z.record(z.string(), z.string())
const Manifest = z.object({
  dependencies: Versions,
  devDependencies: Versions,
  optionalDependencies: Versions,
})
test('package.json names exact versions', () => {
  const manifest = Manifest.parse(JSON.parse(read('package.json')))
  const named = Object.entries({
    ...manifest.dependencies,
    ...manifest.devDependencies,
    ...manifest.optionalDependencies,
  })
  expect(named.length).toBeGreaterThan(40)
  const loose = named.filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))
  expect(loose).toEqual([])
})

// Built from pieces, because this file is searched too.
const PRIVATE = new RegExp(['\\b_d', 'ef\\b|unstable-core-do-', 'not-import'].join(''))

test('tRPC is used through its documented interface, but for one file (decision 075)', () => {
  const sources = sourceFiles().filter((path) => path !== 'server/procedures.ts')
  expect(sources.length).toBeGreaterThan(1_000)
  expect(linesMatching(sources, PRIVATE)).toEqual([])
})

test('the container image keeps the guide that the server reads for its API documentation', () => {
  const [, removed = ''] = /rm -rf (.+)$/m.exec(read('Dockerfile')) ?? []
  expect(removed).toContain('tests')
  expect(removed.split(' ').filter((path) => 'docs/api.md/'.startsWith(`${path}/`))).toEqual([])
})
