import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { parseSync } from 'oxc-parser'

/** One import of one module. `file` is its target inside the repository, or null for a package. */
export type Import = {
  specifier: string
  file: string | null
  typeOnly: boolean
  line: number
}

/** A source file with what it imports; paths are relative to the root, with forward slashes. */
export type Module = {
  path: string
  imports: Import[]
  reExports: boolean
  unreadable: string[]
}

const SKIPPED = /^(node_modules|dist|test-results|playwright-report|coverage|public|\..+)$/
// Written by the router's plugin, by its own rules.
const GENERATED = 'src/routeTree.gen.ts'

const ALIASES: Record<string, string> = {
  '#contract/': 'contract/',
  '#demo/': 'demo/',
  '#sandbox/': 'sandbox/',
  '#db/': 'db/',
  '#migrations/': 'migrations/',
  '#server/': 'server/',
  '#app/': 'src/',
  '#scripts/': 'scripts/',
  '#tests/': 'tests/',
  '#bench/': 'bench/',
}

/** Every .ts and .tsx below the root that people write, parsed. */
export function readModules(root: string): Module[] {
  return sourceFiles(root, '').map((path) => readModule(root, path))
}

function sourceFiles(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = posix.join(folder, entry.name)
    if (entry.isDirectory()) return SKIPPED.test(entry.name) ? [] : sourceFiles(root, path)
    return /\.tsx?$/.test(entry.name) && path !== GENERATED ? [path] : []
  })
}

function readModule(root: string, path: string): Module {
  const source = readFileSync(join(root, path), 'utf8')
  const { module, errors } = parseSync(path, source)
  const lineAt = (offset: number): number => source.slice(0, offset).split('\n').length
  const found = (specifier: string, typeOnly: boolean, start: number): Import => {
    return { specifier, typeOnly, line: lineAt(start), file: fileOf(path, specifier) }
  }
  const fixed = module.staticImports.map(({ moduleRequest, entries, start }) => {
    const typeOnly = entries.length > 0 && entries.every((entry) => entry.isType)
    return found(moduleRequest.value, typeOnly, start)
  })
  const passedOn = module.staticExports
    .flatMap((statement) => statement.entries)
    .flatMap(({ moduleRequest, isType, start }) =>
      moduleRequest === null ? [] : [found(moduleRequest.value, isType, start)],
    )
  const late = module.dynamicImports.map(({ moduleRequest, start }) =>
    found(literal(source.slice(moduleRequest.start, moduleRequest.end)), false, start),
  )
  return {
    path,
    imports: [...fixed, ...passedOn, ...late],
    // Passing a package's names on is an adapter; passing our own on is a barrel.
    reExports: passedOn.some(({ file }) => file !== null),
    unreadable: errors.map((error) => error.message),
  }
}

/** What stands between the quotes; an expression stays as it is and resolves to nothing. */
function literal(text: string): string {
  return /^(['"`])([^'"`$]+)\1$/.exec(text)?.[2] ?? text
}

function fileOf(from: string, specifier: string): string | null {
  const bare = specifier.split('?')[0] ?? specifier
  if (bare.startsWith('.')) return posix.join(posix.dirname(from), bare)
  const alias = Object.keys(ALIASES).find((prefix) => bare.startsWith(prefix))
  if (alias !== undefined) return `${ALIASES[alias]}${bare.slice(alias.length)}`
  return bare.startsWith('#') ? bare : null
}

/** Whether the file an import names is there, extension and all. */
export function resolves(root: string, file: string): boolean {
  return existsSync(join(root, file))
}
