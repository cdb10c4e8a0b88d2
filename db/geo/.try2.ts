import { rmSync } from 'node:fs'
import { openDatabase } from '#db/engine.ts'
import { migrateToLatest } from '#db/migrate.ts'
import { loadReference } from './load.ts'

rmSync('/tmp/geo/t2.db', { force: true })
const database = openDatabase('sqlite:/tmp/geo/t2.db')
await migrateToLatest(database)
console.log('rss before', Math.round(process.memoryUsage().rss / 1e6))
const a = performance.now()
await loadReference(database)
console.log('load', performance.now() - a)
const mb = () => {
  const m = process.memoryUsage()
  return [m.rss, m.heapTotal, m.heapUsed, m.external].map((x) => Math.round(x / 1e6))
}
console.log('after', mb())
globalThis.gc?.()
console.log('gc', mb())
await new Promise((r) => setTimeout(r, 3000))
globalThis.gc?.()
console.log('later', mb())
console.log(
  await database.db
    .selectFrom('geo_uk_outcodes')
    .select(['code', 'near'])
    .where('code', 'in', ['TR21', 'GY9', 'IM4', 'W1', 'HS1', 'ZE2'])
    .execute(),
)
await database.close()
