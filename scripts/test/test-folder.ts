import { spawnSync } from 'node:child_process'
import { chmod, mkdtemp, rm, statfs, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Linux's file system in memory. */
const MEMORY_FOLDER = '/dev/shm'

/** Tests use a gigabyte there at most, and the machine needs some memory for itself. */
const MIN_FREE_BYTES = 8 * 1024 ** 3

async function makeIn(parent: string): Promise<string> {
  const folder = await mkdtemp(join(parent, 'apposite-test-'))
  // Run by root, Postgres is another user, and has its data below.
  await chmod(folder, 0o755)
  return folder
}

/**
 * Whether programs can be executed from there, as Postgres is where other users cannot reach the checkout.
 */
async function runsPrograms(folder: string): Promise<boolean> {
  const program = join(folder, 'program')
  await writeFile(program, '#!/bin/sh\n', { mode: 0o755 })
  const { status } = spawnSync(program)
  await rm(program)
  return status === 0
}

async function makeInMemory(): Promise<string | null> {
  const free = await statfs(MEMORY_FOLDER).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0,
  )
  if (Math.min(free, process.availableMemory()) < MIN_FREE_BYTES) return null
  const folder = await makeIn(MEMORY_FOLDER)
  if (await runsPrograms(folder)) return folder
  await rm(folder, { recursive: true })
  return null
}

/**
 * A folder for the temporary files of all tests: in memory where there is plenty, as every test on Postgres
 * creates a thousand files, which takes a third longer on a disk.
 */
export async function makeTestFolder(): Promise<string> {
  return (await makeInMemory()) ?? makeIn(tmpdir())
}
