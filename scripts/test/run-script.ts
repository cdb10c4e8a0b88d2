import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

/** What a program started by a test gets of this process's environment: none of its settings. */
export const bareEnvironment = {
  PATH: process.env['PATH'],
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
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
