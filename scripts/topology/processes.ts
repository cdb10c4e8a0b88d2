import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { bareEnvironment } from '#scripts/test/run-script.ts'
import { waitUntil } from '#tests/harness/servers/server-process.ts'

const children = new Map<ChildProcess, NodeJS.Signals>()
/** Whether nothing may be started any more. */
let isShuttingDown = false

/** Ends the children that still run when this process exits, for whatever reason. */
function endChildren(): void {
  for (const [child, signal] of children) child.kill(signal)
}

/** Ends a process with this one at the latest, by `signal`. */
export function endWithParent(child: ChildProcess, signal: NodeJS.Signals): ChildProcess {
  if (children.size === 0) process.once('exit', endChildren)
  children.set(child, signal)
  child.once('exit', () => {
    children.delete(child)
    if (children.size === 0) process.off('exit', endChildren)
  })
  if (isShuttingDown) child.kill(signal)
  return child
}

/** Ends all of them now, and any that are started later. Resolves when they are gone. */
export async function endAll(): Promise<void> {
  isShuttingDown = true
  endChildren()
  while (children.size > 0) {
    await Promise.all([...children.keys()].map((child) => once(child, 'exit')))
  }
}

const MAIN = fileURLToPath(new URL('../../server/main.ts', import.meta.url))

/** A start that takes longer counts as hung. */
const START_TIMEOUT_MS = 180_000

/** How often a supervisor restarts a process that has ended before it gives up. */
const MAX_STARTS = 5

type ProcessOptions = {
  name: string
  port: number
  env: Record<string, string>
  log: string
  /** The program to start; the server's own when left out. */
  main?: string
}

/** The server as a separate process, which is ended and restarted as a supervisor would do. */
export class AppProcess {
  readonly name: string
  readonly port: number
  #wanted: ProcessOptions
  #child: ChildProcess | null = null
  #isMeant = true
  /** Exit codes of unexpected exits. */
  readonly crashes: string[] = []

  constructor(wanted: ProcessOptions) {
    this.name = wanted.name
    this.port = wanted.port
    this.#wanted = wanted
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`
  }

  get env(): Record<string, string> {
    return this.#wanted.env
  }

  /** Changes the settings or the program for its next start: to another version, for example. */
  change(changed: Partial<Pick<ProcessOptions, 'env' | 'main'>>): void {
    this.#wanted = { ...this.#wanted, ...changed }
  }

  /** Undefined while it is not running. */
  get pid(): number | undefined {
    return this.#child?.pid
  }

  /** Resolves when it is healthy; rejects when it ends before, or is not healthy after three minutes. */
  async start(): Promise<void> {
    const { env, log, main = MAIN } = this.#wanted
    const written = openSync(log, 'a')
    const child = spawn(process.execPath, [main], {
      env: { ...bareEnvironment, ...env, PORT: String(this.port), HOST: '127.0.0.1' },
      stdio: ['ignore', written, written],
    })
    closeSync(written)
    this.#child = endWithParent(child, 'SIGKILL')
    this.#isMeant = false
    child.once('exit', (code, signal) => {
      if (!this.#isMeant) this.crashes.push(`${this.name} ended with ${code ?? signal}: see ${log}`)
    })
    const giveUpAt = performance.now() + START_TIMEOUT_MS
    await waitUntil(async () => {
      if (performance.now() > giveUpAt) throw new Error(`${this.name} does not start: see ${log}`)
      if (child.exitCode !== null || child.signalCode !== null) {
        throw new Error(`${this.name} ended: see ${log}`)
      }
      return fetch(`${this.url}/healthz`).then(
        async (response) => {
          await response.arrayBuffer()
          return response.ok
        },
        () => false,
      )
    })
  }

  /** Starts it as a supervisor does: retries when it ends before it is healthy. */
  async startAgain(): Promise<void> {
    for (let left = MAX_STARTS; ; left -= 1) {
      try {
        await this.start()
        return
      } catch (error) {
        if (left === 1) throw error
      }
    }
  }

  async #end(signal: NodeJS.Signals): Promise<number | null> {
    const child = this.#child
    this.#isMeant = true
    if (child === null || child.signalCode !== null) return null
    if (child.exitCode !== null) return child.exitCode
    const gone = once(child, 'exit')
    child.kill(signal)
    await gone
    return child.exitCode
  }

  /** Kills it as a power failure would. Resolves when none of its processes runs any more. */
  async kill(): Promise<void> {
    await this.#end('SIGKILL')
  }

  /** Asks it to stop and lets it finish its work; returns its exit code, which is 0 when all went well. */
  terminate(): Promise<number | null> {
    return this.#end('SIGTERM')
  }
}
