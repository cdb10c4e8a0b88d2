import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}

/**
 * Creates a folder with those above it, unless it is there. Rejects with the system's error when it cannot: Node's own
 * recursive `mkdir` never ends where the system says ENOENT of a folder whose parent is there, as in `/proc`.
 */
export async function makeFolder(path: string, mode = 0o777): Promise<void> {
  const isFolder = () =>
    stat(path)
      .then((found) => found.isDirectory())
      .catch(() => false)
  if (await isFolder()) return
  const above = dirname(path)
  if (above !== path) await makeFolder(above, mode)
  try {
    await mkdir(path, { mode })
  } catch (error) {
    // Another process may have been faster.
    if (isMissing(error) || !(await isFolder())) throw error
  }
}
