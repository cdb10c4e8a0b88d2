import { findCycle } from '#scripts/boundaries/cycles.ts'
import { whyNot } from '#scripts/boundaries/matrix.ts'
import { type Import, type Module, readModules, resolves } from '#scripts/boundaries/modules.ts'
import { roomOf } from '#scripts/boundaries/rooms.ts'

/** What a check of the whole tree saw; `problems` are sentences, empty when all is well. */
export type Verdict = { modules: number; imports: number; problems: string[] }

/**
 * Holds every import of every module below `root` against the matrix. Seeing fewer than `floor`
 * modules is itself a problem: a check that reads nothing must not report success.
 */
export function checkImports(root: string, floor: number): Verdict {
  const modules = readModules(root)
  const imports = modules.reduce((sum, module) => sum + module.imports.length, 0)
  const blind =
    modules.length < floor
      ? [`Only ${modules.length} modules were read, at least ${floor} are there.`]
      : []
  const problems = modules.flatMap((module) => [
    ...module.unreadable.map((message) => `${module.path}: could not be parsed: ${message}`),
    ...barrelProblems(module),
    ...module.imports.flatMap((one) => importProblems(root, module, one)),
  ])
  return { modules: modules.length, imports, problems: [...blind, ...problems, ...cycles(modules)] }
}

/** What other programs import has to be in one file. */
const DOOR = 'client/apposite-client.ts'

function barrelProblems({ path, reExports }: Module): string[] {
  const isIndex = /(^|\/)index\.tsx?$/.test(path) && !path.startsWith('src/routes/')
  if ((!reExports && !isIndex) || path === DOOR) return []
  return [`${path}: barrels hide where things are; import from the file that has it`]
}

function importProblems(root: string, module: Module, one: Import): string[] {
  const say = (why: string): string[] => [`${module.path}:${one.line}: ${one.specifier}: ${why}`]
  if (one.specifier.startsWith('..')) return say('leaves the folder; use an alias')
  if (one.file !== null && !resolves(root, one.file)) return say('there is no such file')
  const reason = whyNot(module, one)
  return reason === null ? [] : say(reason)
}

function cycles(modules: Module[]): string[] {
  const files = new Map<string, Set<string>>()
  const rooms = new Map<string, Set<string>>()
  for (const { path, imports } of modules) {
    const values = imports.filter((one) => !one.typeOnly).flatMap(({ file }) => file ?? [])
    files.set(path, new Set(values))
    const room = roomOf(path)
    if (room === null || path.endsWith('.test.ts')) continue
    const known = rooms.get(room) ?? new Set()
    const others = imports.flatMap(({ file }) => (file === null ? [] : (roomOf(file) ?? [])))
    rooms.set(room, known.union(new Set(others.filter((other) => other !== room))))
  }
  return [
    ...ringProblem('These modules import each other', findCycle(files)),
    ...ringProblem('These rooms know each other', findCycle(rooms)),
  ]
}

function ringProblem(what: string, ring: string[] | null): string[] {
  return ring === null ? [] : [`${what}: ${ring.join(' -> ')}`]
}
