import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'oxc-parser'

/** Folders of `server/` that are not rooms. */
export const NON_ROOM_FOLDERS: ReadonlySet<string> = new Set([
  'kernel',
  'gateways',
  'http',
  'rest',
  'jobs',
  'pages',
])

/** Which rooms a room knows; a room that is not listed knows none. */
export const ROOM_DEPENDENCIES: Readonly<Record<string, readonly string[]>> = {
  'access-tokens': ['messages'],
  auth: ['access-tokens', 'messages'],
  profiles: [
    'access-tokens',
    'auth',
    'availability',
    'bank-accounts',
    'imports',
    'messages',
    'outside-calendars',
  ],
  'bank-accounts': ['messages'],
  'outside-calendars': ['availability', 'messages'],
  imports: ['availability'],
  erasure: ['auth', 'booking', 'payments', 'profiles'],
  outcomes: ['booking', 'messages', 'payments', 'profiles'],
  payments: ['booking', 'availability', 'profiles', 'messages'],
  booking: ['auth', 'availability', 'messages', 'profiles'],
  verification: ['auth', 'profiles', 'messages'],
  calendars: ['booking', 'messages'],
  reminders: ['booking', 'messages'],
  search: ['availability', 'profiles'],
  'super-users': ['auth', 'messages'],
  visits: ['booking', 'payments', 'availability', 'profiles', 'auth', 'messages'],
}

/** Rooms without a router yet: other rooms use them, no client calls them. */
const WITHOUT_ROUTER: ReadonlySet<string> = new Set<string>()

/** The fixed file names: router, SQL, the fate of a table's columns, pure decisions, email texts. */
const FIXED_NAMES = /^(router|[a-z-]+-columns|([a-z-]+-)?(store|rules|templates))\.ts$/

/** Names that say nothing; such files collect unrelated code. */
const VAGUE_NAMES =
  /^(common|constants|helpers?|index|lib|misc|services?|shared|tools|types|utils?)\.ts$/
/** Result of the check; `problems` are sentences, empty when all is well. */
export type RoomVerdict = { rooms: string[]; files: number; problems: string[] }

/**
 * Checks the rooms below `root` against the naming rules: router keys, room folders and contract files name
 * the same nouns, and a room holds only files whose name says what is in them.
 */
export function checkRooms(root: string): RoomVerdict {
  const folders = folderNames(join(root, 'server')).filter((name) => !NON_ROOM_FOLDERS.has(name))
  const contracts = fileNames(join(root, 'contract'))
    .filter((name) => /^[a-z-]+\.ts$/.test(name))
    .map((name) => name.slice(0, -3))
    // A large room has several contract files: `profiles.ts`, `profiles-own.ts`.
    .filter((name) => !folders.some((room) => name.startsWith(`${room}-`)))
  const routers = routerKeys(join(root, 'server', 'app-router.ts')).map(kebab)
  const files = folders.flatMap((room) =>
    [
      room,
      ...folderNames(join(root, 'server', room)).map((subfolder) => `${room}/${subfolder}`),
    ].flatMap((folder) =>
      fileNames(join(root, 'server', folder)).map((name) => ({ folder, name })),
    ),
  )
  const blind = folders.length === 0 || routers.length === 0 ? ['No rooms were found at all.'] : []
  const called = folders.filter((room) => !WITHOUT_ROUTER.has(room))
  return {
    rooms: folders,
    files: files.length,
    problems: [
      ...blind,
      ...differences('server/app-router.ts names', routers, {
        where: 'server/ has',
        names: called,
      }),
      ...differences('server/ has', folders, {
        where: 'contract/ has',
        names: contracts,
        ignore: WITHOUT_ROUTER,
      }),
      ...folders.flatMap((room) => nestedProblems(root, room)),
      ...files.flatMap(({ folder, name }) =>
        fileProblems(join(root, 'server', folder), folder, name),
      ),
    ],
  }
}

type Other = { where: string; names: string[]; ignore?: ReadonlySet<string> }

function differences(where: string, names: string[], other: Other): string[] {
  const counts = (name: string): boolean => other.ignore?.has(name) !== true
  const left = new Set(names.filter(counts))
  const right = new Set(other.names.filter(counts))
  return [
    ...[...left.difference(right)].map(
      (name) => `${where} ${name}, but ${other.where} no such name.`,
    ),
    ...[...right.difference(left)].map(
      (name) => `${other.where} ${name}, but ${where} no such name.`,
    ),
  ]
}

function nestedProblems(root: string, room: string): string[] {
  return folderNames(join(root, 'server', room)).flatMap((subfolder) =>
    folderNames(join(root, 'server', room, subfolder)).map(
      (name) =>
        `server/${room}/${subfolder}/${name}: a subfolder of a room must not have subfolders.`,
    ),
  )
}

function fileProblems(folder: string, within: string, name: string): string[] {
  const path = `server/${within}/${name}`
  if (/^[a-z][a-z0-9-]*\.test\.ts$/.test(name) || FIXED_NAMES.test(name)) return []
  if (!/^[a-z][a-z0-9-]*\.ts$/.test(name)) return [`${path}: not a kebab-case .ts file.`]
  if (VAGUE_NAMES.test(name))
    return [`${path}: a vague name; name a file after the one thing it does.`]
  const words = name.replace(/\.ts$/, '').split('-')
  const exported = exportedFunctions(join(folder, name)).map((one) => one.toLowerCase())
  // `images.ts` holds what is done with an image: the plural s need not match.
  const stems = words.map((word) => word.replace(/s$/, ''))
  if (exported.some((one) => stems.some((stem) => one.includes(stem)))) return []
  return [
    `${path}: neither router, store, rules or templates, nor named after a function it exports.`,
  ]
}

function exportedFunctions(file: string): string[] {
  const { program } = parseSync(file, readFileSync(file, 'utf8'))
  return program.body.flatMap((statement) => {
    if (statement.type !== 'ExportNamedDeclaration') return []
    const declared = statement.declaration
    return declared?.type === 'FunctionDeclaration' ? (declared.id?.name ?? []) : []
  })
}

/** The keys of the object in `appRouter = router({ … })`. */
function routerKeys(file: string): string[] {
  if (!existsSync(file)) return []
  const { program } = parseSync(file, readFileSync(file, 'utf8'))
  return program.body.flatMap((statement) => {
    if (statement.type !== 'ExportNamedDeclaration') return []
    if (statement.declaration?.type !== 'VariableDeclaration') return []
    return statement.declaration.declarations.flatMap(({ id, init }) => {
      if (id.type !== 'Identifier' || id.name !== 'appRouter') return []
      if (init?.type !== 'CallExpression') return []
      const table = init.arguments[0]
      if (table?.type !== 'ObjectExpression') return []
      return table.properties.flatMap((property) =>
        property.type === 'Property' && property.key.type === 'Identifier'
          ? [property.key.name]
          : [],
      )
    })
  })
}

function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

function folderNames(folder: string): string[] {
  return entries(folder, true)
}

function fileNames(folder: string): string[] {
  return entries(folder, false)
}

function entries(folder: string, directories: boolean): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() === directories)
    .map((entry) => entry.name)
}

if (import.meta.main) {
  const { rooms, files, problems } = checkRooms(join(import.meta.dirname, '..', '..'))
  for (const problem of problems) console.log(problem)
  console.log(`${rooms.length} rooms, ${files} files, ${problems.length} problems`)
  if (problems.length > 0) process.exitCode = 1
}
