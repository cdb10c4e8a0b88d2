import { join } from 'node:path'
import { now } from '#server/kernel/clock.ts'
import { readFacts, writeFacts } from './facts.ts'
import { type SandboxServer, serveSandbox } from './listener.ts'
import { openSandbox, type Sandbox } from './sandbox.ts'
import { TakenError } from './store.ts'

/** The sandbox ends this long after the last app process has gone … */
const IDLE_SHUTDOWN_MS = 300
/** … or after this, when the process that started it never connected. */
const NEVER_USED_MS = 10_000
const CHECK_MS = 100

function tryOpenSandbox(dataDir: string): Sandbox | null {
  try {
    return openSandbox({ file: join(dataDir, 'sandbox.sqlite'), now })
  } catch (error) {
    // Another process was faster: it serves, and whoever started this one will find it.
    if (error instanceof TakenError) return null
    throw error
  }
}

/** Listens on the previous port, so that open pages keep working; otherwise on any. */
async function listen(sandbox: Sandbox, dataDir: string): Promise<SandboxServer> {
  const before = await readFacts(dataDir)
  try {
    return await serveSandbox(sandbox, before?.port ?? 0)
  } catch {
    return serveSandbox(sandbox, 0)
  }
}

/**
 * The sandbox as a program: serves the store of a data folder until nobody uses it any more. App processes
 * hold a lease that ends with them however they end, so nothing is left running.
 */
export async function runSandbox(dataDir: string): Promise<void> {
  // The store holds the keys: nobody else on this machine may read it.
  process.umask(0o077)
  const sandbox = tryOpenSandbox(dataDir)
  if (sandbox === null) return
  const serving = await listen(sandbox, dataDir)
  await writeFacts(dataDir, sandbox.ctx.keys, serving.port)
  const stop = () => {
    clearInterval(timer)
    void serving.stop().then(() => sandbox.close())
  }
  const timer = setInterval(() => {
    const { leases } = sandbox
    if (leases.emptyFor() > (leases.wasUsed() ? IDLE_SHUTDOWN_MS : NEVER_USED_MS)) stop()
  }, CHECK_MS)
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
}
