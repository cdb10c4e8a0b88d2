import { ensureBuilt } from './build.mjs'
import { ensureInstalled } from './install.mjs'
import { ended, forwardSignals } from './process.mjs'
import { main } from './run.mjs'
import { spawnRuntime } from './runtime.mjs'
import { serverArgs } from './server-args.mjs'

/** Installs, builds and serves; each step only when there is something to do. */
export function start() {
  return main(async () => {
    await ensureInstalled('runtime')
    await ensureBuilt()
    const server = spawnRuntime(serverArgs)
    forwardSignals([server])
    return ended(server)
  })
}
