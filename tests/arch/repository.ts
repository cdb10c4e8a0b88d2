import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'

const root = join(import.meta.dirname, '..', '..')
const PICTURES = /\.(png|jpe?g|webp|avif|ico|woff2?|gz|br|pmtiles|db|sqlite)$/
const UNTRACKED =
  /^(node_modules|dist|coverage|test-results|playwright-report|\.git|\.data|\.cache)(\/|$)/

/** An absolute path inside the repository. */
export function inRoot(...parts: string[]): string {
  return join(root, ...parts)
}

/**
 * Files of a clone: tracked files, and new ones that are not ignored. Without git, every file outside the
 * generated folders.
 */
export function repositoryFiles(): string[] {
  if (!existsSync(inRoot('.git'))) return walk()
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
  const listed = execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\0')
  return listed.filter((path) => path !== '' && existsSync(inRoot(path)))
}

function walk(): string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter((path) => !UNTRACKED.test(path))
}

/** Text files of the repository whose path matches. */
export function textFiles(pattern = /^/): string[] {
  return repositoryFiles().filter((path) => pattern.test(path) && !PICTURES.test(path))
}

/** Hand-written source: TypeScript and the bootstrap's JavaScript, without generated files. */
export function sourceFiles(): string[] {
  return textFiles(/\.(ts|tsx|mjs)$/).filter((path) => path !== 'src/routeTree.gen.ts')
}

/** The text of one file of the repository. */
export function read(path: string): string {
  return readFileSync(inRoot(path), 'utf8')
}

/** `path:line: text` of every matching line, so that a failure shows where to look. */
export function linesMatching(paths: string[], pattern: RegExp): string[] {
  return paths.flatMap((path) =>
    read(path)
      .split('\n')
      .flatMap((line, at) => (pattern.test(line) ? [`${path}:${at + 1}: ${line.trim()}`] : [])),
  )
}
