import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream, existsSync, readFileSync, statSync } from 'node:fs'
import { chmod, mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { brotliDecompressSync, createBrotliDecompress } from 'node:zlib'

/** Switches that let Chromium run in a container and keep it from contacting any other host. */
export const chromiumArgs = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  '--font-render-hinting=none',
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1',
]

const nodeModules = join(import.meta.dirname, '../../../node_modules')
const shippedPackage = join(nodeModules, '@sparticuz', 'chromium')

/**
 * Absolute path of a Chromium that runs here: `CHROMIUM_PATH` when set, otherwise the one inside
 * `@sparticuz/chromium`, unpacked once into `node_modules/.cache` (about 200 MB).
 */
export async function chromiumPath(): Promise<string> {
  const chosen = process.env['CHROMIUM_PATH']
  if (chosen !== undefined && chosen !== '') return chosen
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error('The bundled Chromium is for Linux on x64. Set CHROMIUM_PATH to a local one.')
  }
  const packed = join(shippedPackage, 'bin', 'chromium.br')
  // Named by size, so that another version of the package does not run the old browser.
  const folder = join(nodeModules, '.cache', `chromium-${statSync(packed).size}`)
  const browser = await unpackOnce(packed, folder)
  return canStart(browser) ? browser : withShippedLibraries(browser, folder)
}

/**
 * Unpacks a brotli file to `<folder>/headless_shell` unless it exists, and returns that path. Atomic:
 * concurrent callers never see an incomplete browser.
 */
async function unpackOnce(packed: string, folder: string): Promise<string> {
  const target = join(folder, 'headless_shell')
  if (existsSync(target)) return target
  await mkdir(folder, { recursive: true })
  const partial = `${target}.${randomUUID()}`
  try {
    await pipeline(
      createReadStream(packed),
      createBrotliDecompress(),
      createWriteStream(partial, { mode: 0o755 }),
    )
    await rename(partial, target)
  } finally {
    await rm(partial, { force: true })
  }
  return target
}

function canStart(browser: string): boolean {
  return spawnSync(browser, ['--version'], { timeout: 20_000 }).status === 0
}

/** A bare machine may lack nss, nspr and expat: the package carries them, a wrapper points there. */
async function withShippedLibraries(browser: string, folder: string): Promise<string> {
  const archive = brotliDecompressSync(readFileSync(join(shippedPackage, 'bin', 'al2023.tar.br')))
  const unpacked = spawnSync('tar', ['-x', '-C', folder], { input: archive })
  const wrapper = join(folder, `with-libraries-${randomUUID()}.sh`)
  const script = `#!/bin/sh\nexport LD_LIBRARY_PATH="${join(folder, 'lib')}"\nexec "${browser}" "$@"\n`
  await writeFile(wrapper, script)
  await chmod(wrapper, 0o755)
  const ready = join(folder, 'with-libraries.sh')
  await rename(wrapper, ready)
  if (unpacked.status !== 0 || !canStart(ready)) {
    throw new Error('The bundled Chromium does not start here. Set CHROMIUM_PATH to a local one.')
  }
  return ready
}

/** The two screen sizes the tests run at. */
export const sizes = { phone: { width: 360, height: 740 }, desktop: { width: 1440, height: 900 } }
