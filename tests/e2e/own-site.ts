import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import { freePort, ServerProcess } from '#tests/harness/servers/server-process.ts'
import { test as base } from './fixtures.ts'

/** The database of the other server as it is at this moment; the rest of its folder is only added to. */
async function copyData(from: string, to: string): Promise<void> {
  const database = new DatabaseSync(join(from, 'apposite.db'), { readOnly: true })
  await backup(database, join(to, 'apposite.db'))
  database.close()
  await cp(join(from, 'media'), join(to, 'media'), { recursive: true })
  await cp(join(from, 'secret.key'), join(to, 'secret.key'))
}

/**
 * `test` over a site of its own, made from the demo the others share: for what everybody would notice,
 * such as another homepage.
 */
export const test = base.extend<object, { ownSite: string }>({
  ownSite: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads from here what is wanted
    async ({}, provide) => {
      const shared = process.env['E2E_DATA_DIR']
      if (shared === undefined) throw new Error('The configuration names no data.')
      const dataDir = await mkdtemp(join(tmpdir(), 'apposite-e2e-own-'))
      await copyData(shared, dataDir)
      const port = await freePort()
      const env = { DATA_DIR: dataDir, LOG_LEVEL: 'warn', TRUSTED_PROXIES: '127.0.0.1,::1' }
      const server = new ServerProcess(env, port)
      await server.start()
      await provide(`http://localhost:${port}`)
      await server.kill()
      await rm(dataDir, { recursive: true, force: true })
    },
    { scope: 'worker', timeout: 60_000 },
  ],
  baseURL: ({ ownSite }, provide) => provide(ownSite),
})
