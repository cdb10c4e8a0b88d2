import { flushCompileCache } from 'node:module'
import type { Config } from '#server/kernel/config/config.ts'

/** Says to the program that follows that it is the second. */
const MARK = 'APPOSITE_RENEWED'

/** Whether this process can be followed by a fresh one in its own place. */
export function canRenew(config: Config, env: NodeJS.ProcessEnv): boolean {
  return (
    process.platform !== 'win32' &&
    env[MARK] === undefined &&
    // Somebody who talks to this very program would lose it, as would a database that is memory.
    process.channel === undefined &&
    !config.databaseUrl.includes(':memory:')
  )
}

/**
 * Starts the program anew with the same number, terminal and environment, and does not return.
 * Memory that making the demo took never comes back to the system otherwise. What was compiled is
 * kept, so that the second start need not do it again.
 */
export async function renew(env: NodeJS.ProcessEnv): Promise<void> {
  // The one file the first start has not met: for it alone the second would load the type stripper.
  await import('#demo/top-up.ts')
  flushCompileCache()
  const { execPath, execArgv, argv } = process
  process.execve?.(execPath, [execPath, ...execArgv, ...argv.slice(1)], { ...env, [MARK]: '1' })
}
