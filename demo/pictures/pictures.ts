import { createHash, randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'

/** The demo's portraits and scenes, 320 by 320 pixels and in the sizes of the gallery (decision 089). */
const FILES = join(import.meta.dirname, 'files')

/**
 * Copies the demo's pictures into the folder, as far as it lacks them, named by the hash of their bytes. Returns their
 * `/media/…` paths by name.
 */
export async function copyPictures(mediaFolder: string): Promise<Map<string, string>> {
  await mkdir(mediaFolder, { recursive: true })
  const present = new Set(await readdir(mediaFolder))
  const paths = new Map<string, string>()
  const copy = async (file: string): Promise<void> => {
    const bytes = await readFile(join(FILES, file))
    const name = `${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}.webp`
    paths.set(basename(file, '.webp'), `/media/${name}`)
    if (present.has(name)) return
    // Two processes may copy at once: each writes its own file, and the last rename wins harmlessly.
    const draft = join(mediaFolder, `.${randomUUID()}.draft`)
    await writeFile(draft, bytes)
    await rename(draft, join(mediaFolder, name))
  }
  await Promise.all((await readdir(FILES)).map(copy))
  return paths
}
