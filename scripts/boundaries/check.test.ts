import { expect, test } from 'vitest'
import { checkImports } from '#scripts/boundaries/check.ts'
import { makeTree } from '#scripts/test/make-tree.ts'

/** A small house in which every import is allowed; each case below adds one that is not. */
const HOUSE = {
  'contract/region.ts': `import * as z from 'zod/mini'\nexport const Region = z.string()`,
  'contract/search.ts': `import { Region } from './region.ts'\nexport const Search = Region`,
  'db/engine.ts': `import { Kysely } from 'kysely'\nexport const open = Kysely`,
  'db/geo/lookup.ts': `import { open } from '#db/engine.ts'\nexport const look = open`,
  'server/kernel/clock.ts': `export const now = () => 0`,
  'server/gateways/mail.ts': `import { createTransport } from 'nodemailer'\nexport const mail = createTransport\nexport type Mail = 1`,
  'server/profiles/rules.ts': `export const rule = 1`,
  'server/profiles/store.ts': `import { sql } from 'kysely'\nexport const find = sql`,
  'server/profiles/router.ts': `export const profilesRouter = 1`,
  'server/search/store.ts': `import { sql } from 'kysely'\nexport const rows = sql`,
  'server/search/find.ts': `import { rows } from './store.ts'\nimport { rule } from '#server/profiles/rules.ts'\nimport { look } from '#db/geo/lookup.ts'\nimport type { Mail } from '#server/gateways/mail.ts'\nexport const find = (m: Mail) => [rows, rule, look, m]`,
  'server/app-router.ts': `import { find } from './search/find.ts'\nexport const appRouter = find`,
  'src/trpc.ts': `import type { appRouter } from '#server/app-router.ts'\nexport type A = typeof appRouter`,
  'src/ui/button.tsx': `import { useId } from 'react'\nexport const button = useId`,
  'src/features/search/map/map.tsx': `import L from 'leaflet'\nexport const map = L`,
  'src/features/search/page.tsx': `import { button } from '#app/ui/button.tsx'\nexport const later = () => import('./map/map.tsx')\nexport const page = button`,
  'src/features/site/page.tsx': `export const page = 1`,
  'src/routes/index.tsx': `import { page } from '#app/features/search/page.tsx'\nexport const Route = page`,
  'src/features/search/page.test.tsx': `import { find } from '#server/search/find.ts'\nexport const any = find`,
}

function problemsWith(extra: Record<string, string>): string[] {
  using tree = makeTree({ ...HOUSE, ...extra })
  return checkImports(tree.root, 1).problems
}

test('a house that keeps the matrix has no problems, and everything in it was read', () => {
  using tree = makeTree(HOUSE)
  expect(checkImports(tree.root, 1)).toEqual({ modules: 19, imports: 19, problems: [] })
})

test('a check that reads nothing reports that, and not success', () => {
  using tree = makeTree({ 'README.md': 'no code here' })
  expect(checkImports(tree.root, 1).problems).toEqual([
    'Only 0 modules were read, at least 1 are there.',
  ])
})

test('a house that shrank below the floor is a sign of looking in the wrong place', () => {
  using tree = makeTree(HOUSE)
  expect(checkImports(tree.root, 20).problems).toHaveLength(1)
})

test.each([
  [
    'contract reaching into the server',
    'contract/a.ts',
    `import '#server/kernel/clock.ts'`,
    'contract may not import it',
  ],
  [
    'contract with the large zod',
    'contract/a.ts',
    `import 'zod'`,
    'contract may not import this package',
  ],
  [
    'a migration using app code',
    'migrations/0001-a.ts',
    `import '#db/engine.ts'`,
    'migrations may not import it',
  ],
  ['db knowing the server', 'db/a.ts', `import '#server/kernel/clock.ts'`, 'db may not import it'],
  [
    'the kernel knowing a room',
    'server/kernel/a.ts',
    `import '#server/search/find.ts'`,
    'server/kernel may not import it',
  ],
  [
    'the kernel running SQL',
    'server/kernel/a.ts',
    `import 'kysely'`,
    'only store.ts files, db, demo and migrations may import it',
  ],
  [
    'a gateway knowing a room',
    'server/gateways/a.ts',
    `import '#server/search/find.ts'`,
    'server/gateways may not import it',
  ],
  [
    'a room with a gateway in its hands',
    'server/search/a.ts',
    `import { mail } from '#server/gateways/mail.ts'`,
    'a room may not import it',
  ],
  [
    'SQL outside a store',
    'server/search/a.ts',
    `import { sql } from 'kysely'`,
    'only store.ts files, db, demo and migrations may import it',
  ],
  [
    "another room's store",
    'server/search/a.ts',
    `import '#server/profiles/store.ts'`,
    'the door and the SQL of profiles are its own',
  ],
  [
    "another room's store, types too",
    'server/search/a.ts',
    `import type { find } from '#server/profiles/store.ts'`,
    'the door and the SQL of profiles are its own',
  ],
  [
    "another room's router",
    'server/search/a.ts',
    `import '#server/profiles/router.ts'`,
    'the door and the SQL of profiles are its own',
  ],
  [
    'knowledge against its direction',
    'server/messages/a.ts',
    `import '#server/profiles/rules.ts'`,
    'messages does not know profiles',
  ],
  [
    'a vendor SDK in a room',
    'server/search/a.ts',
    `import 'stripe'`,
    'only server/gateways may import it',
  ],
  [
    'a vendor SDK by dynamic import',
    'server/search/a.ts',
    `export const a = () => import('nodemailer')`,
    'only server/gateways may import it',
  ],
  [
    'pictures handled in a room',
    'server/search/a.ts',
    `import 'sharp'`,
    'only server/gateways and demo may import it',
  ],
  [
    'server code in the browser',
    'src/a.ts',
    `import { find } from '#server/search/find.ts'`,
    'src may not import it',
  ],
  [
    'the router as a value in the browser',
    'src/a.ts',
    `import { appRouter } from '#server/app-router.ts'`,
    'src may not import it',
  ],
  [
    'a server package in the browser',
    'src/a.ts',
    `import 'hono'`,
    'src may not import this package',
  ],
  [
    'leaflet outside the lazy map',
    'src/parts/a.tsx',
    `import 'leaflet'`,
    'only src/features/search/map may import it',
  ],
  [
    'react-leaflet outside the lazy map',
    'src/parts/a.tsx',
    `import 'react-leaflet'`,
    'only src/features/search/map may import it',
  ],
  [
    'a primitive that knows the product',
    'src/ui/a.tsx',
    `import '#app/features/site/page.tsx'`,
    'src/ui and src/lib may not import it',
  ],
  [
    'a part that knows a feature',
    'src/parts/a.tsx',
    `import '#app/features/site/page.tsx'`,
    'src/parts may not import it',
  ],
  [
    'one feature knowing another',
    'src/features/site/a.tsx',
    `import '#app/features/search/page.tsx'`,
    'src/features may not import it',
  ],
  ['a path that climbs', 'src/ui/a.tsx', `import '../trpc.ts'`, 'leaves the folder; use an alias'],
  ['a file that is not there', 'src/ui/a.tsx', `import './gone.tsx'`, 'there is no such file'],
  ['a missing extension', 'src/ui/a.tsx', `import './button'`, 'there is no such file'],
  ['an alias to nowhere', 'src/ui/a.tsx', `import '#app/gone.ts'`, 'there is no such file'],
  ['an unknown alias', 'src/ui/a.tsx', `import '#nowhere/a.ts'`, 'there is no such file'],
  [
    'a folder nobody planned',
    'lib/a.ts',
    `import 'react'`,
    'its folder is not in the import matrix',
  ],
])('%s is reported', (_what, path, source, reason) => {
  const problems = problemsWith({ [path]: source })
  expect(problems).toHaveLength(1)
  expect(problems[0]).toContain(`${path}:1: `)
  expect(problems[0]).toContain(reason)
})

test.each([
  ['passing names on', 'src/ui/all.ts', `export { button } from './button.tsx'`],
  ['passing everything on', 'src/ui/all.ts', `export * from './button.tsx'`],
  ['passing types on', 'src/ui/all.ts', `export type { A } from '#app/trpc.ts'`],
  ['an index file', 'src/ui/index.ts', `export const a = 1`],
])('a barrel, by %s, is reported', (_what, path, source) => {
  expect(problemsWith({ [path]: source }).join('\n')).toContain(
    `${path}: barrels hide where things are`,
  )
})

test('a file that cannot be parsed is reported rather than passed over', () => {
  expect(problemsWith({ 'src/a.ts': 'import {' })[0]).toContain('src/a.ts: could not be parsed')
})

test('two modules that need each other are reported as a ring; types may look back', () => {
  const a = `import { b } from './b.ts'\nexport const a = () => b`
  const ring = problemsWith({
    'src/a.ts': a,
    'src/b.ts': `import { a } from './a.ts'\nexport const b = a`,
  })
  expect(ring).toEqual(['These modules import each other: src/a.ts -> src/b.ts -> src/a.ts'])
  const types = `import type { a } from './a.ts'\nexport const b = 1\nexport type A = typeof a`
  expect(problemsWith({ 'src/a.ts': a, 'src/b.ts': types })).toEqual([])
})

test('two rooms that know each other are reported, types or not', () => {
  const problems = problemsWith({
    'server/profiles/a.ts': `import type { find } from '#server/search/find.ts'\nexport type A = typeof find`,
  })
  expect(problems).toContain('These rooms know each other: profiles -> search -> profiles')
})
