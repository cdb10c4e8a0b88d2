import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import { freePort, ServerProcess } from '#tests/harness/servers/server-process.ts'

/** URL of the site under test, and its data folder. */
export type Site = { url: string; dataDir: string }

function setting(name: string): string {
  const value = process.env[name]
  if (value === undefined) throw new Error(`playwright.config.ts has not set ${name}.`)
  return value
}

function sharedSite(): Site {
  return { url: `http://localhost:${setting('E2E_PORT')}`, dataDir: setting('E2E_DATA_DIR') }
}

/** A copy of the site's data from before the first test. */
export const untouchedData = () => join(sharedSite().dataDir, 'untouched')

/** Copies the database in its current state, and the files that belong to it. */
export async function copyData(from: string, to: string): Promise<void> {
  const database = new DatabaseSync(join(from, 'apposite.db'), { readOnly: true })
  await backup(database, join(to, 'apposite.db'))
  database.close()
  await cp(join(from, 'media'), join(to, 'media'), { recursive: true })
  await cp(join(from, 'secret.key'), join(to, 'secret.key'))
}

let current: Site | null = null

/** The site of the test that runs in this worker. */
export function currentSite(): Site {
  return current ?? sharedSite()
}

/** Starts a separate site from a copy of the original demo data, and runs `use` with it. */
export async function withOwnSite(use: (own: Site) => Promise<void>): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'apposite-e2e-own-'))
  await copyData(untouchedData(), dataDir)
  const port = await freePort()
  const server = new ServerProcess(
    {
      DATA_DIR: dataDir,
      LOG_LEVEL: 'warn',
      OUTSIDE_TEST_HOSTS: `127.0.0.1:${setting('E2E_CALENDAR_PORT')}`,
      TRUSTED_PROXIES: '127.0.0.1,::1',
    },
    port,
  )
  await server.start()
  current = { url: `http://localhost:${port}`, dataDir }
  try {
    await use(current)
  } finally {
    current = null
    await server.kill()
    await rm(dataDir, { recursive: true, force: true })
  }
}
