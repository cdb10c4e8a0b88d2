import type { Import, Module } from '#scripts/boundaries/modules.ts'
import { ROOM_KNOWS, roomOf } from '#scripts/boundaries/rooms.ts'

/** A region of the tree and what its files may import: files by path, packages by name. */
type Zone = {
  name: string
  owns: RegExp
  files: RegExp
  /** Reached by `import type` only. */
  types?: RegExp
  packages: RegExp
}

const ANY = /^/
const BROWSER =
  /^(react|react-dom|@tanstack\/.*|@trpc\/(client|react-query|server\/observable)|@base-ui\/react|lucide-react|react-hook-form|@hookform\/resolvers\/zod|react-day-picker|zod\/mini|leaflet|react-leaflet|supercluster|temporal-polyfill|topojson-client|altcha|uqr|@stripe\/react-stripe-js|@stripe\/stripe-js\/pure|@paypal\/react-paypal-js\/sdk-v6|@fontsource-variable\/.*)(\/|$)/
const APP_ROUTER = /^server\/app-router\.ts$/
const DATABASE = /^db\/(engine|columns|failures|prepared|run-sql|tables)(\.ts|\/)/

/** The import matrix of ARCHITECTURE.md. The first zone that owns a file is its zone. */
const ZONES: Zone[] = [
  {
    name: 'tests, scripts, benchmarks and configuration',
    owns: /\.test\.tsx?$|^(tests|scripts|bench)\/|^[^/]+\.ts$/,
    files: ANY,
    packages: ANY,
  },
  {
    name: 'client',
    owns: /^client\//,
    files: /^client\//,
    // Programs elsewhere run it: of the rest of the house it knows types only.
    types: /^(server\/app-router\.ts|contract\/.*)$/,
    packages: /^@trpc\/(client|server(\/observable)?)$/,
  },
  {
    name: 'examples',
    owns: /^examples\//,
    files: /^examples\//,
    packages: /^(node:.*|apposite\/client|papaparse)$/,
  },
  { name: 'contract', owns: /^contract\//, files: /^contract\//, packages: /^zod\/mini$/ },
  {
    name: 'migrations',
    owns: /^migrations\//,
    files: /^migrations\//,
    packages: /^kysely(\/|$)/,
  },
  { name: 'db', owns: /^db\//, files: /^(db|contract|migrations)\//, packages: ANY },
  { name: 'demo', owns: /^demo\//, files: /^(demo|db|contract|migrations)\//, packages: ANY },
  {
    name: 'server/kernel',
    owns: /^server\/kernel\//,
    files: /^(contract|server\/kernel)\//,
    types: DATABASE,
    packages: /^(node:.*|zod\/mini|pino|otpauth|altcha-lib(\/.*)?|hono\/cookie|papaparse)$/,
  },
  {
    name: 'server/gateways',
    owns: /^server\/gateways\//,
    files: /^(contract|server\/kernel|server\/gateways)\//,
    packages: ANY,
  },
  {
    name: 'sandbox',
    owns: /^sandbox\//,
    files: /^(contract|sandbox|server\/kernel)\//,
    // The app's side of it is what a gateway reaches it by.
    types: /^server\/gateways\/payment-gateways\.ts$/,
    packages: ANY,
  },
  {
    name: 'server/rest, server/jobs and server/pages',
    owns: /^server\/(rest|jobs|pages)\//,
    // Jobs keep the demo data fresh, and the demo's door shows its accounts.
    files:
      /^(contract|server|demo|db\/reference)\/|^db\/(engine|columns|failures|prepared|run-sql|tables)(\.ts|\/)/,
    packages: /^(node:.*|zod\/mini|hono(\/.*)?|kysely)$/,
  },
  {
    name: 'server/context, server/trpc and what they are made of',
    owns: /^server\/(admission|context|failures|idempotency|trpc)\.ts$/,
    files:
      /^(contract|server\/kernel|server\/gateways)\/|^db\/|^server\/(admission|context|failures|idempotency|trpc|jobs\/([a-z-]+-)?store)\.ts$/,
    packages: /^(node:.*|zod\/mini|@trpc\/server(\/.*)?)$/,
  },
  {
    name: 'server and server/http',
    owns: /^server\/([^/]+\.ts$|http\/)/,
    files: /^(contract|db|demo|sandbox|server)\//,
    packages: ANY,
  },
  {
    name: 'a room',
    owns: /^server\//,
    files:
      /^(contract|server\/kernel|db\/geo|db\/reference)\/|^db\/(engine|columns|failures|prepared|run-sql|tables)(\.ts|\/)|^server\/(context|trpc)\.ts$/,
    // What a room sends goes through ctx or the outbox; only its shape is known here.
    types: /^server\/gateways\//,
    packages: /^(zod\/mini|kysely)$/,
  },
  {
    name: 'src/ui and src/lib',
    owns: /^src\/(ui|lib)\//,
    files: /^(src\/(ui|lib)|contract)\//,
    types: APP_ROUTER,
    packages: BROWSER,
  },
  {
    name: 'src/parts',
    owns: /^src\/parts\//,
    files: /^(src\/(parts|ui|lib)|contract)\/|^src\/(trpc|query-client)\.ts$/,
    types: APP_ROUTER,
    packages: BROWSER,
  },
  {
    name: 'src/features',
    owns: /^src\/features\//,
    files: /^(src\/(parts|ui|lib)|contract)\/|^src\/(trpc|query-client)\.ts$/,
    types: APP_ROUTER,
    packages: BROWSER,
  },
  { name: 'src', owns: /^src\//, files: /^(src|contract)\//, types: APP_ROUTER, packages: BROWSER },
]

/** Packages with a home: only files there import them. Tests, scripts and benchmarks may too. */
const HOMES: { packages: RegExp; home: RegExp; where: string }[] = [
  {
    packages: /^(stripe|nodemailer)(\/|$)/,
    home: /^server\/gateways\//,
    where: 'server/gateways',
  },
  {
    // What of the gateways runs in the page comes with the checkout only.
    packages: /^(@stripe|@paypal)\//,
    home: /^src\/features\/payments\//,
    where: 'src/features/payments',
  },
  {
    packages: /^sharp$/,
    home: /^(server\/gateways|demo)\//,
    where: 'server/gateways and demo',
  },
  {
    packages: /^(leaflet|react-leaflet|supercluster)(\/|$)/,
    home: /^src\/features\/search\/map\//,
    where: 'src/features/search/map',
  },
  {
    packages: /^kysely(\/|$)/,
    home: /^(db|demo|migrations)\/|^server\/.*\/([a-z-]+-)?store\.ts$/,
    where: 'store.ts files, db, demo and migrations',
  },
]

/** Why this import is not allowed, or null when it is. */
export function whyNot(module: Module, { file, specifier, typeOnly }: Import): string | null {
  const zone = ZONES.find(({ owns }) => owns.test(module.path))
  if (zone === undefined) return 'its folder is not in the import matrix'
  if (zone.files === ANY) return null
  if (file === null) return whyNotPackage(module.path, zone, specifier)
  if (zone.files.test(file) || (typeOnly && zone.types?.test(file) === true)) return null
  if (isOwnFeature(module.path, file)) return null
  const room = roomOf(module.path)
  if (room !== null && roomOf(file) !== null) return whyNotRoom(room, file)
  return `${zone.name} may not import it`
}

function whyNotPackage(path: string, zone: Zone, specifier: string): string | null {
  const homeless = HOMES.find(({ packages, home }) => packages.test(specifier) && !home.test(path))
  if (homeless !== undefined) return `only ${homeless.where} may import it`
  return zone.packages.test(specifier) ? null : `${zone.name} may not import this package`
}

function isOwnFeature(path: string, file: string): boolean {
  const feature = /^src\/features\/[^/]+\//.exec(path)?.[0]
  return feature !== undefined && file.startsWith(feature)
}

function whyNotRoom(room: string, file: string): string | null {
  const other = roomOf(file)
  if (other === room) return null
  if (/\/(router|([a-z-]+-)?store)\.ts$/.test(file))
    return `the door and the SQL of ${other} are its own`
  const known = ROOM_KNOWS[room] ?? []
  return known.some((name) => name === other) ? null : `${room} does not know ${other}`
}
