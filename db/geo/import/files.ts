import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { readingProblem } from './problem.ts'

export type ListFile = {
  path: string
  /** Inside the folder that was asked for, with forward slashes; of a single file, its own name. */
  name: string
  bytes: number
  /** Epoch milliseconds. */
  changed: number
}

const LIST = /\.(?:csv|txt|tsv|gz|zip)$/i

/** ONSPD and NSPL come with every area a second time in here. */
const REPEATED = /(?:^|\/)multi_csv\//i

/** Whether a member of a zip archive may hold a list. */
export function isText(name: string): boolean {
  return /\.(?:csv|txt|tsv)$/i.test(name) && !REPEATED.test(name)
}

async function factsOf(path: string, name: string): Promise<ListFile> {
  const facts = await stat(path)
  return { path, name, bytes: facts.size, changed: Math.trunc(facts.mtimeMs) }
}

async function filesUnder(folder: string): Promise<ListFile[]> {
  const names = (await readdir(folder, { recursive: true }))
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => LIST.test(name) && !REPEATED.test(name))
    .toSorted()
  return Promise.all(names.map((name) => factsOf(join(folder, name), name)))
}

/**
 * The file at a path, or every file below a folder that by its name may hold a list, in the order
 * of their names. Throws `ImportProblem` where there is nothing to be looked at.
 */
export async function listFiles(path: string): Promise<ListFile[]> {
  try {
    const facts = await stat(path)
    if (facts.isDirectory()) return await filesUnder(path)
    return [await factsOf(path, path.replace(/^.*[\\/]/, ''))]
  } catch (error) {
    throw readingProblem(path, error)
  }
}
