import { join } from 'node:path'
import { root } from './tree.mjs'

/**
 * How the server's process is started; `docs/decisions/021-memory.md` has the figures. Node would
 * let short-lived objects grow to 48 MB and the others to four times what is in use before it looks
 * at them, and compile hot functions on threads whose working memory the C library keeps for good.
 */
export const serverArgs = [
  '--max-semi-space-size=2',
  '--heap-growing-percent=15',
  '--v8-pool-size=1',
  '--no-concurrent-recompilation',
  'server/main.ts',
]

/**
 * What the server's process needs in its environment, where nobody has set it otherwise. With the
 * cache named here Node also keeps the entry's stripped text, and does not load its stripper (13 MB)
 * for one file. Two pools of the C library serve as well as one for each thread.
 */
export function serverEnv(env = process.env) {
  const wanted = {
    NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'compile'),
    MALLOC_ARENA_MAX: '2',
  }
  return Object.fromEntries(Object.entries(wanted).filter(([name]) => env[name] === undefined))
}
