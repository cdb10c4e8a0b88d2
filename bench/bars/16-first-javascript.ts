import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod/mini'
import type { Bar, BenchOptions, Measure } from '#bench/bar.ts'
import { clientFolder, ensureSite } from '#bench/site.ts'

const FIRST_KB = 150
const MAP_KB = 55

const PageChunks = z.record(z.string(), z.array(z.string()))

/** Static imports of a built chunk; what it loads later is not among them. */
const STATIC_IMPORT = /(?:from|import)\s*["']\.\/([\w$.-]+\.js)["']/g

/** A chunk and all it needs before it can run, as paths below the site. */
async function withImports(path: string, seen = new Set<string>()): Promise<Set<string>> {
  if (seen.has(path)) return seen
  seen.add(path)
  const text = await readFile(join(clientFolder, path), 'utf8')
  for (const [, file] of text.matchAll(STATIC_IMPORT)) {
    if (file !== undefined) await withImports(`/assets/${file}`, seen)
  }
  return seen
}

async function closureOf(paths: readonly string[]): Promise<Set<string>> {
  const all = new Set<string>()
  for (const path of paths) await withImports(path, all)
  return all
}

/** What the browser gets of a file, in kB of 1000 bytes, brotli as the build left it. */
async function kiloBytes(paths: Iterable<string>): Promise<number> {
  let bytes = 0
  for (const path of paths) bytes += (await stat(join(clientFolder, `${path}.br`))).size
  return bytes / 1_000
}

/** All JavaScript a page fetches before it is there: by the document, and by its own route. */
async function firstFiles(html: string, page: string): Promise<Set<string>> {
  const listed = /id="page-chunks">([^<]*)</.exec(html)?.[1] ?? '{}'
  const own = PageChunks.parse(JSON.parse(listed))[page]
  if (own === undefined) throw new Error(`The build names no files for /${page}`)
  const named = [...html.matchAll(/(?:src|href)="(\/[\w$./-]+\.js)"/g)].flatMap((m) => m[1] ?? [])
  return closureOf([...named, ...own])
}

async function run(options: BenchOptions): Promise<Measure[]> {
  await ensureSite(options)
  const html = await readFile(join(clientFolder, 'index.html'), 'utf8')
  const measures: Measure[] = []
  for (const page of ['home', 'results']) {
    const files = await firstFiles(html, page)
    const ours = await kiloBytes(files)
    const name = `first JavaScript of /${page}, brotli`
    measures.push({ name, ours, limit: FIRST_KB, unit: 'kB', bar: { atMost: 1 } })
  }
  const assets = await readdir(join(clientFolder, 'assets'))
  const map = assets.filter((file) => /^results-map-(?!lazy)[\w-]+\.js$/.test(file))
  if (map.length === 0) throw new Error('The build has no chunk of the map.')
  const results = await firstFiles(html, 'results')
  const lazy = (await closureOf(map.map((file) => `/assets/${file}`))).difference(results)
  const ours = await kiloBytes(lazy)
  const name = 'the map, lazily, brotli'
  return [...measures, { name, ours, limit: MAP_KB, unit: 'kB', bar: { atMost: 1 } }]
}

export const bar: Bar = { no: 16, title: 'First JavaScript', run }
