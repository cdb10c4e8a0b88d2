import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { readingProblem } from './problem.ts'

export type ListFile = {
  path: string
  /** Path inside the requested folder, with forward slashes; for a single file, its name. */
  name: string
  bytes: number
  /** Epoch milliseconds. */
  changed: number
}

const LIST = /\.(?:csv|txt|tsv|gz|zip)$/i

/** ONSPD and NSPL repeat every area in this folder. */
const REPEATED_FOLDER = /(?:^|\/)multi_csv\//i

/** Whether a member of a zip archive may hold a list. */
export function isText(name: string): boolean {
  return /\.(?:csv|txt|tsv)$/i.test(name) && !REPEATED_FOLDER.test(name)
}

async function fileFacts(path: string, name: string): Promise<ListFile> {
  const facts = await stat(path)
  return { path, name, bytes: facts.size, changed: Math.trunc(facts.mtimeMs) }
}

async function filesUnder(folder: string): Promise<ListFile[]> {
  const names = (await readdir(folder, { recursive: true }))
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => LIST.test(name) && !REPEATED_FOLDER.test(name))
    .toSorted()
  return Promise.all(names.map((name) => fileFacts(join(folder, name), name)))
}

/**
 * The file at a path, or every file below a folder whose name suggests a list, sorted by name. Throws
 * `ImportProblem` when the path cannot be read.
 */
export async function listFiles(path: string): Promise<ListFile[]> {
  try {
    const facts = await stat(path)
    if (facts.isDirectory()) return await filesUnder(path)
    return [await fileFacts(path, path.replace(/^.*[\\/]/, ''))]
  } catch (error) {
    throw readingProblem(path, error)
  }
}
