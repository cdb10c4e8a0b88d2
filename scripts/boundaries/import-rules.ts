import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { NON_ROOM_FOLDERS, ROOM_DEPENDENCIES } from './rooms.ts'

/** Imports by specifier, as .gitignore patterns; a package includes its subpaths. */
type Specifiers = readonly string[]

/** A region of the tree and what its files may import, besides files of their own folder. */
type Zone = {
  name: string
  files: string[]
  may: Specifiers
  /** Only by `import type`; a file, or all of a folder. */
  types?: Specifiers
  /** Forbidden even where `may` allows it. */
  never?: Specifiers
  /** Every package except those that belong elsewhere. */
  anyPackage?: boolean
}

const DATABASE = [
  ['engine', 'columns', 'failures', 'consecutive-slots', 'run-sql', 'tables'].map(
    (one) => `#db/${one}.ts`,
  ),
  '#db/engine/**',
  '#db/tables/**',
].flat()
const NODE = ['node:*', 'node:*/**']
const KERNEL = '#server/kernel/**'
const APP_ROUTER = '#server/app-router.ts'
const STORES = ['store.ts', '*-store.ts']
const RULES = ['rules.ts', '*-rules.ts']
const BROWSER = [
  ['react', 'react-dom', '@tanstack/**', '@trpc/client', '@trpc/react-query', '@base-ui/react'],
  ['@trpc/server/observable', 'lucide-react', 'zod/mini', 'temporal-polyfill', 'altcha', 'uqr'],
  ['topojson-client', '@fontsource-variable/**', '**/*.css'],
  ['react-hook-form', '@hookform/resolvers/zod', 'react-day-picker'],
].flat()
/** Packages that only one region imports. */
const VENDORS = ['stripe', 'nodemailer']
const MAP = ['leaflet', 'react-leaflet', 'supercluster']
const CHECKOUT = [
  '@stripe/react-stripe-js',
  '@stripe/stripe-js/pure',
  '@paypal/react-paypal-js/sdk-v6',
]
/** Packages that only one feature may import: the payment SDKs, and the CSV parser for imports. */
const OWN_PACKAGES: ReadonlyMap<string, readonly string[]> = new Map([
  ['payments', CHECKOUT],
  ['availability', ['papaparse']],
])
const FOREIGN_PACKAGES = ['@stripe/**', '@paypal/**', ...MAP]

function foldersIn(root: string, folder: string): string[] {
  if (!existsSync(join(root, folder))) return []
  const entries = readdirSync(join(root, folder), { withFileTypes: true })
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
}

/** A room may use the decisions and actions of the rooms it knows, never their router or their SQL. */
function roomZones(room: string): Zone[] {
  const known = ROOM_DEPENDENCIES[room] ?? []
  const zone = {
    name: `server/${room}`,
    files: [`server/${room}/**`],
    may: [
      ['#contract/**', KERNEL, '#db/geo/**', '#db/reference/**', ...DATABASE],
      ['#server/context.ts', '#server/trpc.ts', 'zod/mini', 'hono/html', `#server/${room}/**`],
      known.map((other) => `#server/${other}/**`),
    ].flat(),
    // A room sends through ctx or the outbox; only the types are known here.
    types: ['#server/gateways/**'],
    never: known.flatMap((other) =>
      ['router.ts', ...STORES].map((file) => `#server/${other}/**/${file}`),
    ),
  }
  // A query knows conditions of another room, never what happens there: a use case calls that.
  const store = {
    ...zone,
    files: STORES.map((file) => `server/${room}/**/${file}`),
    may: [...zone.may, 'kysely'],
    never: known.flatMap((other) => [
      `#server/${other}/**`,
      ...RULES.map((file) => `!#server/${other}/**/${file}`),
    ]),
  }
  return [zone, store]
}

/** Features must not import each other. */
function featureZone(feature: string): Zone {
  const own = OWN_PACKAGES.get(feature) ?? []
  return {
    name: `src/features/${feature}`,
    files: [`src/features/${feature}/**`],
    may: [
      ['#contract/**', '#app/parts/**', '#app/ui/**', '#app/lib/**', '#app/trpc.ts'],
      [`#app/features/${feature}/**`, ...BROWSER, ...own],
    ].flat(),
    types: [APP_ROUTER],
  }
}

/** The import matrix of ARCHITECTURE.md. The last zone that contains a file is its zone. */
function zonesOf(root: string): Zone[] {
  const rooms = foldersIn(root, 'server').filter((name) => !NON_ROOM_FOLDERS.has(name))
  const useCases = {
    name: 'server/rest, server/jobs and server/pages',
    // Jobs keep the demo data fresh, and the demo's entry page shows its accounts.
    may: [
      ['#contract/**', '#server/**', '#demo/**', '#db/reference/**', ...DATABASE],
      [...NODE, 'zod/mini', 'hono', 'prom-client'],
    ].flat(),
  }
  const database = {
    name: 'db',
    may: ['#db/**', '#contract/**', '#migrations/**'],
    never: [...VENDORS, ...FOREIGN_PACKAGES],
    anyPackage: true,
  }
  const browser = { may: ['#contract/**', ...BROWSER], types: [APP_ROUTER] }
  const search = featureZone('search')
  return [
    {
      name: 'client',
      files: ['client/**'],
      may: ['#client/**', '@trpc/client', '@trpc/server', '@trpc/server/observable'],
      // Published for use in other programs, so it may import only types from the rest of the code.
      types: [APP_ROUTER, '#contract/**'],
    },
    { name: 'examples', files: ['examples/**'], may: [...NODE, 'apposite/client', 'papaparse'] },
    { name: 'contract', files: ['contract/**'], may: ['#contract/**', 'zod/mini'] },
    { name: 'migrations', files: ['migrations/**'], may: ['#migrations/**', 'kysely', 'node:fs'] },
    { ...database, files: ['db/**'], never: [...database.never, 'sharp'] },
    { ...database, name: 'demo', files: ['demo/**'], may: ['#demo/**', ...database.may] },
    {
      name: 'server and server/http',
      files: ['server/*.ts', 'server/http/**'],
      may: ['#contract/**', '#db/**', '#demo/**', '#sandbox/**', '#server/**'],
      never: ['kysely', 'sharp', ...VENDORS, ...FOREIGN_PACKAGES],
      anyPackage: true,
    },
    {
      name: 'server/context, server/trpc and what they are made of',
      files: ['server/{admission,context,failures,idempotency,trpc}.ts'],
      may: [
        ['#contract/**', KERNEL, '#server/gateways/**', '#db/**', ...NODE, 'zod/mini'],
        ['#server/{admission,context,failures,idempotency,trpc}.ts', '@trpc/server'],
        STORES.map((file) => `#server/jobs/${file}`),
      ].flat(),
      never: [
        './*/**',
        '!./kernel/**',
        '!./gateways/**',
        ...STORES.map((file) => `!./jobs/${file}`),
      ],
    },
    {
      name: 'server/kernel',
      files: ['server/kernel/**'],
      may: [
        ['#contract/**', KERNEL, ...NODE, 'zod/mini', 'pino', 'otpauth', 'altcha-lib'],
        ['bowser', 'hono/cookie', 'nanoid', 'papaparse', 'prom-client'],
      ].flat(),
      types: DATABASE,
    },
    {
      name: 'server/gateways',
      files: ['server/gateways/**'],
      may: ['#contract/**', KERNEL, '#server/gateways/**'],
      never: ['kysely', ...FOREIGN_PACKAGES],
      anyPackage: true,
    },
    {
      name: 'sandbox',
      files: ['sandbox/**'],
      may: ['#contract/**', KERNEL, '#sandbox/**'],
      // sandbox/link.ts implements the interface through which the gateways reach the sandbox.
      types: ['#server/gateways/payment-gateways.ts'],
      never: ['kysely', 'sharp', ...VENDORS, ...FOREIGN_PACKAGES],
      anyPackage: true,
    },
    { ...useCases, files: ['server/{rest,jobs,pages}/**'] },
    {
      ...useCases,
      files: STORES.map((file) => `server/{rest,jobs,pages}/**/${file}`),
      may: [...useCases.may, 'kysely'],
    },
    ...rooms.flatMap(roomZones),
    { name: 'src', files: ['src/**'], ...browser, may: [...browser.may, '#app/**'] },
    {
      name: 'src/ui and src/lib',
      files: ['src/{ui,lib}/**'],
      ...browser,
      may: [...browser.may, '#app/{ui,lib}/**'],
    },
    {
      name: 'src/parts',
      files: ['src/parts/**'],
      ...browser,
      may: [...browser.may, '#app/{parts,ui,lib}/**', '#app/trpc.ts'],
    },
    ...foldersIn(root, 'src/features').map(featureZone),
    { ...search, files: ['src/features/search/map/**'], may: [...search.may, ...MAP] },
  ]
}

/** `#` would begin a comment in a pattern. */
function patternOf(specifier: string): string[] {
  if (specifier.startsWith('#')) return [`\\${specifier}`]
  return /^[.!]|\*/.test(specifier) ? [specifier] : [specifier, `${specifier}/**`]
}

const PARENT_IMPORTS = { regex: '^\\.\\.', message: 'It leaves the folder; use an alias.' }

function rulesOf({ name, may, types = [], never = [], anyPackage = false }: Zone) {
  const allowed = ['./**', '../**', ...may, ...types].flatMap(patternOf).map((one) => `!${one}`)
  const group = [anyPackage ? '\\#*/**' : '**', ...allowed, ...never.flatMap(patternOf)]
  // Groups come last: what one of them exempts is allowed, whatever another one says.
  const all = [
    PARENT_IMPORTS,
    ...types.map((one) => ({
      regex: `^${one.replaceAll('.', '\\.').replace('**', '.*')}$`,
      allowTypeImports: true,
      message: `${name} may import types of it only.`,
    })),
    { group, message: `${name} may not import it.` },
  ]
  return { 'no-restricted-imports': ['error', { patterns: all }] }
}

/** The Oxlint configuration that enforces the import matrix for the tree at `root`. */
export function importRules(root: string) {
  const unplanned = { group: ['**'], message: 'The folder is not in the import matrix.' }
  return {
    plugins: ['import'],
    categories: { correctness: 'off' },
    ignorePatterns: [
      'node_modules',
      'dist',
      'public',
      'test-results',
      'src/routeTree.gen.ts',
      '**/*.mjs',
      '**/*.js',
      '**/*.d.ts',
    ],
    rules: {
      'import/no-cycle': ['error', { ignoreTypes: true }],
      'import/extensions': ['error', 'ignorePackages'],
      'no-restricted-imports': ['error', { patterns: [unplanned] }],
    },
    overrides: [
      ...zonesOf(root).map((zone) => ({ files: zone.files, rules: rulesOf(zone) })),
      {
        // These may import anything.
        files: ['**/*.test.{ts,tsx}', '{tests,scripts,bench}/**', '*.config.ts'],
        rules: { 'no-restricted-imports': ['error', { patterns: [PARENT_IMPORTS] }] },
      },
    ],
  }
}
