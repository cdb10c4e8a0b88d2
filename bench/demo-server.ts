import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { buildIsFresh } from '#scripts/bootstrap/build-stamp.mjs'
import { serverArgs } from '#scripts/bootstrap/process.mjs'
import { freePort } from '#tests/harness/servers/server-process.ts'
import type { BenchOptions } from './bar.ts'
import { cachePath } from './data.ts'
import { type Memory, memoryOf } from './process-usage.ts'

const root = join(import.meta.dirname, '..')
const TIMEOUT_MS = 120_000

export type DemoServer = {
  port: number
  dataDir: string
  /** Milliseconds from starting the process to its first healthy response. */
  startedIn: number
  /** Resident memory of the process at this moment. */
  memory(): Memory
  close(): Promise<void>
}

async function isHealthy(port: number): Promise<boolean> {
  const answer = await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => null)
  await answer?.arrayBuffer()
  return answer?.status === 200
}

type StartOptions = { dataDir: string; env: Record<string, string> }

async function start({ dataDir, env }: StartOptions): Promise<DemoServer> {
  const port = await freePort()
  const startedAt = performance.now()
  const child = spawn(process.execPath, serverArgs, {
    cwd: root,
    env: {
      ...process.env,
      DATA_DIR: dataDir,
      PORT: String(port),
      LOG_LEVEL: 'warn',
      ...env,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const ended = once(child, 'exit')
  while (!(await isHealthy(port))) {
    if (child.exitCode !== null || performance.now() - startedAt > TIMEOUT_MS) {
      child.kill('SIGKILL')
      throw new Error('The server did not start.')
    }
    await sleep(5)
  }
  return {
    port,
    dataDir,
    startedIn: performance.now() - startedAt,
    memory: () => memoryOf(child.pid),
    close: async () => {
      child.kill()
      await ended
    },
  }
}

/** The folder of demo data that is made once and kept. */
async function demoFolder(say: BenchOptions['say']): Promise<string> {
  const dataDir = await cachePath('site', ['migrations', 'db/geo', 'demo'])
  if (!existsSync(dataDir)) {
    say('Making the demo data')
    const first = await start({ dataDir, env: {} })
    await first.close()
  }
  return dataDir
}

/** Starts the product as `npm start` does, on demo data that is made beforehand and kept. */
export async function startDemo(
  { say }: BenchOptions,
  env: Record<string, string> = {},
): Promise<DemoServer> {
  return start({ dataDir: await demoFolder(say), env })
}

/** The same on a copy of the data, which is deleted when the server is closed. */
export async function startOwnDemo(
  { say }: BenchOptions,
  env: Record<string, string> = {},
): Promise<DemoServer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'apposite-bench-'))
  const remove = () => rm(dataDir, { recursive: true, force: true })
  try {
    await cp(await demoFolder(say), dataDir, { recursive: true })
    const server = await start({ dataDir, env })
    return {
      ...server,
      close: async () => {
        await server.close()
        await remove()
      },
    }
  } catch (error) {
    await remove()
    throw error
  }
}

/** The built pages. */
export const clientFolder = join(root, 'dist', 'client')

/** Builds the pages unless the build is up to date. */
export async function ensureSite({ say }: BenchOptions): Promise<void> {
  if (buildIsFresh()) return
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
