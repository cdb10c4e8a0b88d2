import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { serverArgs } from '#scripts/bootstrap/server-args.mjs'
import type { BenchOptions } from './bar.ts'
import { cachePath } from './data.ts'
import { type Memory, memoryOf } from './memory.ts'

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

async function freePort(): Promise<number> {
  const probe = createServer()
  probe.listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  if (address === null || typeof address === 'string') throw new Error('no free port')
  return address.port
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
