import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { importRules } from '#scripts/boundaries/import-rules.ts'
import { makeTree } from '#scripts/test/run-script.ts'
import { ROOM_DEPENDENCIES } from './rooms.ts'

/** A small tree in which every import is allowed; each case below adds one that is not. */
const ALLOWED_TREE = {
  'contract/base/region.ts': `import * as z from 'zod/mini'\nexport const Region = z.string()`,
  'contract/search.ts': `import { Region } from './region.ts'\nexport const Search = Region`,
  'db/engine.ts': `import { Kysely } from 'kysely'\nexport const open = Kysely`,
  'db/geo/lookup.ts': `import { open } from '#db/engine.ts'\nexport const look = open`,
  'server/kernel/clock.ts': `export const now = () => 0`,
  'server/gateways/mail.ts': `import { createTransport } from 'nodemailer'\nexport const mail = createTransport\nexport type Mail = 1`,
  'server/profiles/rules.ts': `export const rule = 1`,
  'server/profiles/store.ts': `import { sql } from 'kysely'\nexport const find = sql`,
  'server/profiles/router.ts': `export const profilesRouter = 1`,
  'server/search/store.ts': `import { sql } from 'kysely'\nimport { rule } from '#server/profiles/rules.ts'\nexport const rows = [sql, rule]`,
  'server/search/find.ts': `import { rows } from './store.ts'\nimport { rule } from '#server/profiles/rules.ts'\nimport { look } from '#db/geo/lookup.ts'\nimport type { Mail } from '#server/gateways/mail.ts'\nexport const find = (m: Mail) => [rows, rule, look, m]`,
  'server/app-router.ts': `import { find } from './search/find.ts'\nexport const appRouter = find`,
  'src/trpc.ts': `import type { appRouter } from '#server/app-router.ts'\nexport type A = typeof appRouter`,
  'src/ui/button.tsx': `import { useId } from 'react'\nexport const button = useId`,
  'src/features/search/map/map.tsx': `import L from 'leaflet'\nexport const map = L`,
  'src/features/search/page.tsx': `import { button } from '#app/ui/button.tsx'\nexport const later = () => import('./map/map.tsx')\nexport const page = button`,
  'src/features/site/page.tsx': `export const page = 1`,
  'src/routes/index.tsx': `import { page } from '#app/features/search/page.tsx'\nexport const Route = page`,
  'package.json': JSON.stringify({ imports: { '#app/*': './src/*', '#server/*': './server/*' } }),
  'src/features/search/page.test.tsx': `import { find } from '#server/search/find.ts'\nexport const any = find`,
}

const oxlint = join(import.meta.dirname, '..', '..', 'node_modules', 'oxlint', 'bin', 'oxlint')
const Report = z.object({
  diagnostics: z.array(
    z.object({
      message: z.string(),
      help: z.optional(z.string()),
      filename: z.string(),
    }),
  ),
})

/** The messages of the check for a tree: `path: message help`. */
function problemsIn(root: string): string[] {
  const args = [oxlint, '-c', 'rules.json', '-f', 'json']
  const { stdout } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' })
  const { diagnostics } = Report.parse(JSON.parse(stdout))
  return diagnostics.map(({ filename, message, help }) => `${filename}: ${message} ${help ?? ''}`)
}

function problemsWith(extra: Record<string, string>): string[] {
  using tree = makeTree({ ...ALLOWED_TREE, ...extra })
  writeFileSync(join(tree.root, 'rules.json'), JSON.stringify(importRules(tree.root)))
  return problemsIn(tree.root)
}

test('a tree that follows the matrix has no problems', () => {
  expect(problemsWith({})).toEqual([])
})

test.each([
  [
    'contract reaching into the server',
    'contract/a.ts',
    `import '#server/kernel/clock.ts'`,
    'contract may not import it.',
  ],
  ['contract with the large zod', 'contract/a.ts', `import 'zod'`, 'contract may not import it.'],
  [
    'a migration using app code',
    'migrations/0001-a.ts',
    `import '#db/engine.ts'`,
    'migrations may not import it.',
  ],
  [
    'a query with another room’s use case',
    'server/search/a-store.ts',
    `import '#server/profiles/change.ts'`,
    'server/search may not import it.',
  ],
  ['db knowing the server', 'db/a.ts', `import '#server/kernel/clock.ts'`, 'db may not import it.'],
  [
    'the kernel knowing a room',
    'server/kernel/a.ts',
    `import '#server/search/find.ts'`,
    'server/kernel may not import it.',
  ],
  [
    'the kernel running SQL',
    'server/kernel/a.ts',
    `import 'kysely'`,
    'server/kernel may not import it.',
  ],
  [
    'a gateway knowing a room',
    'server/gateways/a.ts',
    `import '#server/search/find.ts'`,
    'server/gateways may not import it.',
  ],
  [
    'a room with a gateway in its hands',
    'server/search/a.ts',
    `import { mail } from '#server/gateways/mail.ts'`,
    'server/search may import types of it only.',
  ],
  [
    'SQL outside a store',
    'server/search/a.ts',
    `import { sql } from 'kysely'`,
    'server/search may not import it.',
  ],
  [
    "another room's store",
    'server/search/a.ts',
    `import '#server/profiles/store.ts'`,
    'server/search may not import it.',
  ],
  [
    "another room's store, types too",
    'server/search/a.ts',
    `import type { find } from '#server/profiles/store.ts'`,
    'server/search may not import it.',
  ],
  [
    "another room's router",
    'server/search/a.ts',
    `import '#server/profiles/router.ts'`,
    'server/search may not import it.',
  ],
  [
    'knowledge against its direction',
    'server/messages/a.ts',
    `import '#server/profiles/rules.ts'`,
    'server/messages may not import it.',
  ],
  [
    'a vendor SDK in a room',
    'server/search/a.ts',
    `import 'stripe'`,
    'server/search may not import it.',
  ],
  [
    'a vendor SDK by dynamic import',
    'server/search/a.ts',
    `export const a = () => import('nodemailer')`,
    'server/search may not import it.',
  ],
  [
    'pictures handled in a room',
    'server/search/a.ts',
    `import 'sharp'`,
    'server/search may not import it.',
  ],
  [
    'server code in the browser',
    'src/a.ts',
    `import { find } from '#server/search/find.ts'`,
    'src may not import it.',
  ],
  [
    'the router as a value in the browser',
    'src/a.ts',
    `import { appRouter } from '#server/app-router.ts'`,
    'src may import types of it only.',
  ],
  ['a server package in the browser', 'src/a.ts', `import 'hono'`, 'src may not import it.'],
  [
    'leaflet outside the lazy map',
    'src/parts/a.tsx',
    `import 'leaflet'`,
    'src/parts may not import it.',
  ],
  [
    'react-leaflet outside the lazy map',
    'src/parts/a.tsx',
    `import 'react-leaflet'`,
    'src/parts may not import it.',
  ],
  [
    'a primitive that knows the product',
    'src/ui/a.tsx',
    `import '#app/features/site/page.tsx'`,
    'src/ui and src/lib may not import it.',
  ],
  [
    'a part that knows a feature',
    'src/parts/a.tsx',
    `import '#app/features/site/page.tsx'`,
    'src/parts may not import it.',
  ],
  [
    'one feature knowing another',
    'src/features/site/a.tsx',
    `import '#app/features/search/page.tsx'`,
    'src/features/site may not import it.',
  ],
  [
    'a path that climbs',
    'src/ui/a.tsx',
    `import '../trpc.ts'`,
    'It leaves the folder; use an alias.',
  ],
  ['a missing extension', 'src/ui/a.tsx', `import './button'`, 'Missing file extension'],
  [
    'a folder nobody planned',
    'lib/a.ts',
    `import 'react'`,
    'The folder is not in the import matrix.',
  ],
])('%s is reported', (_what, path, source, reason) => {
  const problems = problemsWith({ [path]: source })
  expect(problems).toHaveLength(1)
  expect(problems[0]).toContain(`${path}: `)
  expect(problems[0]).toContain(reason)
})

test('a cycle between two modules is reported; type imports may be circular', () => {
  const a = `import { b } from '#app/b.ts'\nexport const a = () => b`
  const ring = problemsWith({
    'src/a.ts': a,
    'src/b.ts': `import { a } from './a.ts'\nexport const b = a`,
  })
  expect(ring.join()).toContain('src/a.ts: Dependency cycle detected')
  const types = `import type { a } from './a.ts'\nexport const b = 1\nexport type A = typeof a`
  expect(problemsWith({ 'src/a.ts': a, 'src/b.ts': types })).toEqual([])
})

test('a check that reads nothing fails', () => {
  using tree = makeTree({ 'README.md': 'no code here', 'rules.json': '{}' })
  const args = [oxlint, '-c', 'rules.json']
  expect(spawnSync(process.execPath, args, { cwd: tree.root }).status).toBe(1)
})

test('rooms know each other in one direction only', () => {
  const without = new Map(Object.entries(ROOM_DEPENDENCIES))
  // Repeatedly removes rooms that know none of those left; what remains is a cycle.
  for (let size = -1; size !== without.size; ) {
    size = without.size
    for (const [room, known] of without) {
      if (!known.some((other) => without.has(other))) without.delete(room)
    }
  }
  expect([...without.keys()]).toEqual([])
})
