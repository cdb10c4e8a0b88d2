import { existsSync } from 'node:fs'
import { copyFile, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { extname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { build } from 'vite'
import { hashInputs } from './bootstrap/build-stamp.mjs'
import { buildApiClient } from './build/api-client.ts'
import { buildMaps } from './build-map.ts'
import { TOOLS } from './commands.ts'
import { runCommand } from './run-command.ts'

const brotli = promisify(brotliCompress)
const deflate = promisify(gzip)

// Fonts and pictures are compressed already.
const TEXT = new Set(['.js', '.css', '.json', '.svg', '.txt', '.xml', '.webmanifest'])

/** Sizes of one asset in bytes: raw, and compressed. */
type Compressed = { file: string; raw: number; br: number; gz: number }

/** Whether an asset is text that a server sends compressed. */
function isCompressible(file: string): boolean {
  return TEXT.has(extname(file))
}

/** Writes `<file>.br` (quality 11) and `<file>.gz` (level 9) beside the file. */
async function precompress(file: string): Promise<Compressed> {
  const bytes = await readFile(file)
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: 11,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  }
  const [br, gz] = await Promise.all([brotli(bytes, { params }), deflate(bytes, { level: 9 })])
  await Promise.all([writeFile(`${file}.br`, br), writeFile(`${file}.gz`, gz)])
  return { file, raw: bytes.length, br: br.length, gz: gz.length }
}

const root = join(import.meta.dirname, '..')
const distFolder = join(root, 'dist')
// Built in another folder and then swapped in, so that neither a running server nor a failed build leaves half a site.
const cache = join(root, 'node_modules', '.cache')
const stagingFolder = join(cache, `build-${process.pid}`)
const replacedFolder = join(cache, `build-${process.pid}-replaced`)

const kB = (bytes: number): string => (bytes / 1000).toFixed(1).padStart(8)

function printSizes(all: Compressed[]): void {
  const rows = all.toSorted((a, b) => b.br - a.br)
  console.log('     raw       gz       br  kB')
  for (const row of rows) {
    console.log(`${kB(row.raw)} ${kB(row.gz)} ${kB(row.br)}  ${row.file}`)
  }
}

/** Builds the pages into a folder, and beside it the manifest of what each file imports. */
async function makeClient(folder: string, manifest: string): Promise<Compressed[]> {
  await build({
    root,
    logLevel: 'warn',
    build: { outDir: folder, emptyOutDir: true, reportCompressedSize: false },
  })
  // Everything in the folder is public.
  await rename(join(folder, '.vite', 'manifest.json'), manifest)
  await rm(join(folder, '.vite'), { recursive: true })
  await buildMaps(join(folder, 'map'))
  // Pages the server writes itself, such as the demo mailbox, do not know hashed names.
  const font = '@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2'
  await copyFile(join(root, 'node_modules', font), join(folder, 'figtree.woff2'))
  for (const name of ['swagger-ui.css', 'swagger-ui-bundle.js']) {
    await copyFile(join(root, 'node_modules', 'swagger-ui-dist', name), join(folder, name))
  }
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
  const made = await Promise.all(files.filter(isCompressible).map((file) => precompress(file)))
  return made.map((row) => ({ ...row, file: relative(folder, row.file) }))
}

/** The same pages for server rendering of the first page of a visit. */
async function makeServerRender(folder: string): Promise<void> {
  await build({
    root,
    logLevel: 'warn',
    build: {
      ssr: 'src/entry-server.tsx',
      outDir: folder,
      emptyOutDir: true,
      copyPublicDir: false,
    },
    // Bundles everything: nothing is resolved at run time.
    ssr: { noExternal: true },
    // React's development build would write errors, with their stacks, into the page.
    define: { 'process.env.NODE_ENV': JSON.stringify('production') },
  })
}

async function swapIntoPlace(): Promise<void> {
  await mkdir(cache, { recursive: true })
  if (existsSync(distFolder)) await rename(distFolder, replacedFolder)
  await rename(stagingFolder, distFolder)
}

async function main(): Promise<number> {
  try {
    const inputs = hashInputs()
    const made = await makeClient(
      join(stagingFolder, 'client'),
      join(stagingFolder, 'manifest.json'),
    )
    await makeServerRender(join(stagingFolder, 'server'))
    await buildApiClient(join(root, 'client'), join(stagingFolder, 'api-client'))
    await writeFile(join(stagingFolder, 'stamp.json'), JSON.stringify({ inputs }))
    await swapIntoPlace()
    printSizes(made)
    return 0
  } finally {
    await rm(stagingFolder, { recursive: true, force: true })
    await rm(replacedFolder, { recursive: true, force: true })
  }
}

await runCommand(TOOLS.build, main)
