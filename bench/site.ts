import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { hashInputs } from '#scripts/bootstrap/build-stamp.mjs'
import type { BenchOptions } from './bar.ts'
import { startOwnDemo } from './demo-server.ts'

const root = join(import.meta.dirname, '..')

/** The built pages. */
export const clientFolder = join(root, 'dist', 'client')

async function isBuilt(): Promise<boolean> {
  const stamp = await readFile(join(root, 'dist', 'stamp.json'), 'utf8').catch(() => '')
  return stamp.includes(hashInputs())
}

/** Builds the pages unless the build is up to date. */
export async function ensureSite({ say }: BenchOptions): Promise<void> {
  if (await isBuilt()) return
  say('Building the site')
  const build = spawn(process.execPath, ['scripts/build.ts'], { cwd: root, stdio: 'ignore' })
  const exit: unknown[] = await once(build, 'exit')
  if (exit[0] !== 0) throw new Error('The site could not be built: run `npm run build` to see why.')
}

export type Site = { url: string; close(): Promise<void> }

/** Serves the built pages from its own copy of the demo, which is deleted when it is closed. */
export async function openSite(options: BenchOptions): Promise<Site> {
  await ensureSite(options)
  options.say('Starting the site')
  const demo = await startOwnDemo(options)
  return { url: `http://localhost:${demo.port}`, close: () => demo.close() }
}
