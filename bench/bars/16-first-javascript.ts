import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import filePlugin from '@size-limit/file'
import sizeLimit from 'size-limit'
import * as z from 'zod/mini'
import type { Bar, BenchOptions, Measure } from '#bench/bar.ts'
import { clientFolder, ensureSite } from '#bench/demo-server.ts'

const MAX_FIRST_KB = 150
const MAX_MAP_KB = 55

/** Vite's manifest: built files by source path or, for files shared by several sources, by chunk name. */
const Manifest = z.record(
  z.string(),
  z.object({ file: z.string(), imports: z.optional(z.array(z.string())) }),
)
type Manifest = z.infer<typeof Manifest>

async function readManifest(): Promise<Manifest> {
  const path = join(clientFolder, '..', 'manifest.json')
  return Manifest.parse(JSON.parse(await readFile(path, 'utf8')))
}

/** Manifest keys of the sources that match. Throws when none does. */
function keysOf(manifest: Manifest, source: RegExp): string[] {
  const keys = Object.keys(manifest).filter((key) => source.test(key))
  if (keys.length === 0) throw new Error(`The build has nothing of ${source.source}.`)
  return keys
}

/** The files of these keys and their static imports; dynamic imports are left out. */
function filesOf(manifest: Manifest, keys: readonly string[]): Set<string> {
  const seen = new Set<string>()
  const visit = (key: string): void => {
    if (seen.has(key)) return
    seen.add(key)
    for (const next of manifest[key]?.imports ?? []) visit(next)
  }
  for (const key of keys) visit(key)
  return new Set([...seen].flatMap((key) => manifest[key]?.file ?? []))
}

/** All JavaScript a page needs to run: that of every document, and the page's own chunks. */
function firstFiles(manifest: Manifest, page: string): Set<string> {
  const needed = new RegExp(`^src/(?:main\\.tsx|routes/${page}\\.tsx\\?tsr-split=component)$`)
  return filesOf(manifest, keysOf(manifest, needed)).add('boot.js')
}

const Sizes = z.array(z.object({ size: z.number() }))

/** Size of each list of files after brotli compression, in kB of 1000 bytes. */
async function kiloBytes(lists: readonly Set<string>[]): Promise<number[]> {
  const checks = lists.map((list) => ({ files: [...list].map((file) => join(clientFolder, file)) }))
  const sizes = Sizes.parse(await sizeLimit([filePlugin], { checks }))
  return sizes.map(({ size }) => size / 1_000)
}

async function run(options: BenchOptions): Promise<Measure[]> {
  await ensureSite(options)
  const manifest = await readManifest()
  const results = firstFiles(manifest, 'results')
  const map = filesOf(manifest, keysOf(manifest, /\/results-map\.tsx$/)).difference(results)
  const [home, list, lazy] = await kiloBytes([firstFiles(manifest, 'home'), results, map])
  const lines = [
    ['first JavaScript of /home, brotli', home, MAX_FIRST_KB],
    ['first JavaScript of /results, brotli', list, MAX_FIRST_KB],
    ['the map, lazily, brotli', lazy, MAX_MAP_KB],
  ] as const
  return lines.map(([name, ours = Number.NaN, limit]) => {
    return { name, ours, limit, unit: 'kB', bar: { atMost: 1 } }
  })
}

export const bar: Bar = { no: 16, title: 'First JavaScript', run }
