import { expect, test } from 'vitest'
import { makeTree } from '#scripts/test/run-script.ts'
import { readConfig } from '#server/kernel/config/config.ts'
import { makeLog } from '#server/kernel/log.ts'
import { makeServices } from '#server/start.ts'
import { jobsFor } from './registry.ts'

const url = 'postgres://localhost/apposite'

test('every process with a replica in its settings measures it', async () => {
  using tree = makeTree({})
  const read = { DATABASE_URL: url, DATABASE_READ_URL: url }
  for (const settings of [{ DATABASE_URL: url }, read]) {
    const config = readConfig({ DATA_DIR: tree.root, ...settings })
    const { services } = await makeServices(config, makeLog({ level: 'silent', style: 'json' }))
    const isThere = settings === read
    expect(services.database.replica !== null).toBe(isThere)
    const measuring = isThere ? ['measure-replica'] : []
    const names = (role: 'all' | 'web' | 'jobs') =>
      jobsFor({ ...config, role }).map(({ name }) => name)
    expect(names('web')).toEqual(measuring)
    for (const role of ['all', 'jobs'] as const) {
      expect(names(role).length).toBeGreaterThan(20)
      expect(names(role).filter((name) => name === 'measure-replica')).toEqual(measuring)
    }
    await services.database.close()
  }
})
