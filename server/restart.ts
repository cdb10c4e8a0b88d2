import { flushCompileCache } from 'node:module'
import type { Config } from '#server/kernel/config/config.ts'

/** Tells the new process image that it is the second one. */
const RESTARTED = 'APPOSITE_RENEWED'

/** Whether this process can replace itself with a fresh one. */
export function canRestart(config: Config, env: NodeJS.ProcessEnv): boolean {
  return (
    process.platform !== 'win32' &&
    env[RESTARTED] === undefined &&
    // An IPC parent would lose its channel, and an in-memory database its data.
    process.channel === undefined &&
    !config.databaseUrl.includes(':memory:')
  )
}

/**
 * Restarts the program with the same process id, terminal and environment, and does not return. The memory
 * used to generate the demo would otherwise never be released. The compile cache is flushed first, so that
 * the second start is fast.
 */
export async function restart(env: NodeJS.ProcessEnv): Promise<void> {
  // The one module not loaded so far: without this the second start would load the type stripper for it.
  await import('#demo/top-up.ts')
  flushCompileCache()
  const { execPath, execArgv, argv } = process
  process.execve?.(execPath, [execPath, ...execArgv, ...argv.slice(1)], {
    ...env,
    [RESTARTED]: '1',
  })
}
