import { readFileSync, rmSync } from 'node:fs'
import { openDatabase } from '#db/engine.ts'
import { migrateToLatest } from '#db/migrate.ts'
import { loadReference } from './load.ts'
import { placeRows } from './place-rows.ts'
import { parseSectors } from './sectors.ts'
import { usZipRows } from './us-zips.ts'

const t = () => performance.now()
rmSync('/tmp/geo/t.db', { force: true })
const url = process.argv[2] ?? 'sqlite:/tmp/geo/t.db'
const database = openDatabase(url)
await migrateToLatest(database)
console.log('rss before', Math.round(process.memoryUsage().rss / 1e6))
let a = t()
const z = usZipRows()
console.log('zips', z.length, t() - a)
a = t()
const s = parseSectors(readFileSync(new URL('./uk-sectors.tsv', import.meta.url), 'utf8'))
const p = placeRows(s, z)
console.log('places', p.places.length, p.outcodes.length, t() - a)
a = t()
console.log(await loadReference(database, console.log), 'load', t() - a)
a = t()
console.log(await loadReference(database, console.log), 'again', t() - a)
globalThis.gc?.()
console.log('rss after', process.memoryUsage())
for (const tb of ['geo_uk_sectors', 'geo_uk_outcodes', 'geo_us_zips', 'geo_places'] as const)
  console.log(
    tb,
    await database.db
      .selectFrom(tb)
      .select((e) => e.fn.countAll().as('n'))
      .executeTakeFirst(),
  )
const kinds = new Map()
for (const r of z) kinds.set(r.kind, (kinds.get(r.kind) ?? 0) + 1)
console.log(kinds)
console.log(
  p.outcodes.filter((o) =>
    [
      'EC1',
      'W1',
      'SW',
      'BT1',
      'BT',
      'GY9',
      'E1',
      'CF10',
      'IM4',
      'SW1A',
      'ZE1',
      'LS1',
      'TR21',
    ].includes(o.code),
  ),
)
console.log(
  z.filter((r) => ['09012', '96201', '99553', '00901', '00801', '96910', '96799'].includes(r.zip)),
)
await database.close()
