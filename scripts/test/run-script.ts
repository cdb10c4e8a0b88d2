import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

const { TEST_CLOCK_AHEAD_MS: clock, NODE_OPTIONS: options } = process.env

/** What a program started by a test gets of this process's environment: its clock, and none of its settings. */
export const bareEnvironment = {
  PATH: process.env['PATH'],
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
  ...(clock !== undefined && { NODE_OPTIONS: options, TEST_CLOCK_AHEAD_MS: clock }),
}

const scripts = join(import.meta.dirname, '..')

/** Runs `scripts/<name>.ts` to its end, with these settings only. */
export function runScript(
  name: string,
  args: readonly string[],
  settings: Record<string, string> = {},
): { code: number | null; out: string; err: string } {
  const done = spawnSync(process.execPath, [join(scripts, `${name}.ts`), ...args], {
    env: { ...bareEnvironment, ...settings },
    encoding: 'utf8',
  })
  return { code: done.status, out: done.stdout, err: done.stderr }
}

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
