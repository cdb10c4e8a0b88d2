import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** A folder of small files for the length of one test: `using tree = makeTree({ 'a.ts': '…' })`. */
export function makeTree(
  files: Record<string, string | Uint8Array>,
): { root: string } & Disposable {
  const root = mkdtempSync(join(tmpdir(), 'apposite-tree-'))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  return { root, [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }) }
}
