import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { hashInputs } from '#scripts/bootstrap/build-stamp.mjs'
import type { BenchOptions } from './bar.ts'
import { cachePath } from './data.ts'

const root = join(import.meta.dirname, '..')

/** The built pages. */
export const clientFolder = join(root, 'dist', 'client')

async function isBuilt(): Promise<boolean> {
  const stamp = await readFile(join(root, 'dist', 'stamp.json'), 'utf8').catch(() => '')
  return stamp.includes(hashInputs())
}

/** Builds the pages unless they were made from these very files. */
export async function ensureSite({ say }: BenchOptions): Promise<void> {
  if (await isBuilt()) return
  say('Building the site')
  const build = spawn(process.execPath, ['scripts/build.ts'], { cwd: root, stdio: 'ignore' })
  const exit: unknown[] = await once(build, 'exit')
  if (exit[0] !== 0) throw new Error('The site could not be built: run `npm run build` to see why.')
}

export type Site = { url: string; close(): Promise<void> }

/** Serves the demo in a process of its own, from data that is made once and kept. */
export async function openSite(options: BenchOptions): Promise<Site> {
  await ensureSite(options)
  options.say('Starting the site')
  const dataDir = await cachePath('site', ['migrations', 'db/geo', 'db/seed'])
  const child = spawn(process.execPath, ['server/main.ts'], {
    cwd: root,
    env: { PATH: process.env['PATH'], DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  const close = async () => {
    child.kill()
    await ended
  }
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /is ready: (\S+)/.exec(line)?.[1]
    if (url === undefined) continue
    child.stdout.resume()
    return { url, close }
  }
  throw new Error('The site did not start.')
}
