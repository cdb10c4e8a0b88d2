import { enableCompileCache } from 'node:module'
import { join } from 'node:path'

enableCompileCache(join(import.meta.dirname, '../../node_modules/.cache/compile'))

// The server with one more migration.
const { migrations } = await import('#migrations/registry.ts')
const { NEXT, nextMigration } = await import('./next-migration.ts')
migrations[NEXT] = nextMigration
const { start } = await import('#server/start.ts')
await start(process.env)
