import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { until } from '#tests/harness/servers/server-process.ts'
import { endWithUs } from './children.ts'

const MAIN = fileURLToPath(new URL('../../server/main.ts', import.meta.url))

/** A start that takes longer hangs. */
const START_WITHIN_MS = 180_000

type Wanted = { name: string; port: number; env: Record<string, string>; log: string }

/** The server as a process of its own, which is ended and started again as a supervisor would do. */
export class AppProcess {
  readonly name: string
  readonly port: number
  readonly #wanted: Wanted
  #child: ChildProcess | null = null
  #isMeant = true
  /** Codes of ends that nobody asked for. */
  readonly crashes: string[] = []

  constructor(wanted: Wanted) {
    this.name = wanted.name
    this.port = wanted.port
    this.#wanted = wanted
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`
  }

  /** Undefined while it does not run. */
  get pid(): number | undefined {
    return this.#child?.pid
  }

  /** Resolves when it is healthy; rejects when it ends before, or is not healthy after three minutes. */
  async start(): Promise<void> {
    const { env, log } = this.#wanted
    const written = openSync(log, 'a')
    const child = spawn(process.execPath, [MAIN], {
      env: { PATH: process.env['PATH'], ...env, PORT: String(this.port), HOST: '127.0.0.1' },
      stdio: ['ignore', written, written],
    })
    closeSync(written)
    this.#child = endWithUs(child, 'SIGKILL')
    this.#isMeant = false
    child.once('exit', (code, signal) => {
      if (!this.#isMeant) this.crashes.push(`${this.name} ended with ${code ?? signal}: see ${log}`)
    })
    const giveUpAt = performance.now() + START_WITHIN_MS
    await until(async () => {
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

  /** As when the machine loses its power. Resolves when nothing of it runs any more. */
  async kill(): Promise<void> {
    await this.#end('SIGKILL')
  }

  /** Asks it to stop and lets it end what it is doing; its exit code, which is 0 when all went well. */
  terminate(): Promise<number | null> {
    return this.#end('SIGTERM')
  }
}
