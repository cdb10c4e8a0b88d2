import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { transformWithOxc } from 'vite'

/** Names imports such as `./calls.ts` as the files are named once their types are stripped. */
function withBuiltNames(code: string): string {
  return code.replaceAll(/(from ")(\.\/[\w-]+)\.ts"/g, '$1$2.js"')
}

/**
 * Builds `apposite/client` for programs on Node 20.19 or later: plain modules, the sources with their types stripped.
 * Nothing is bundled.
 */
export async function buildApiClient(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true })
  const names = (await readdir(from)).filter((name) => /^[\w-]+\.ts$/.test(name))
  await Promise.all(
    names.map(async (name) => {
      const source = await readFile(join(from, name), 'utf8')
      const { code } = await transformWithOxc(source, name, { target: 'es2022', sourcemap: false })
      await writeFile(join(to, name.replace(/\.ts$/, '.js')), withBuiltNames(code))
    }),
  )
}
