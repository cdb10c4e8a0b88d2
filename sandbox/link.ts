import { spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { chmod, readFile, rename, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import * as z from 'zod/mini'
import type { SandboxAccess, SandboxConnection } from '#server/gateways/payment-gateways.ts'
import { monotonic } from '#server/kernel/clock.ts'
import { UpstreamError } from '#server/kernel/errors.ts'
import type { Keys } from './signatures.ts'

/** Path where an app process requests its lease. */
export const LEASE_PATH = '/_sandbox/lease'

/** Who is using the sandbox: every app process keeps one response open for its lifetime. */
export class Leases {
  readonly #origins = new Map<number, string>()
  #count = 0
  /** Epoch milliseconds since when no lease has been held. */
  #emptySince: number
  readonly #now: () => number

  constructor(now: () => number) {
    this.#now = now
    this.#emptySince = now()
  }

  /** Records a holder and its origin; the returned function ends the lease. */
  take(origin: string): () => void {
    this.#count += 1
    const number = this.#count
    this.#origins.set(number, origin)
    return () => {
      this.#origins.delete(number)
      if (this.#origins.size === 0) this.#emptySince = this.#now()
    }
  }

  /** Origin of the latest holder: they all share one database, so any of them will do. */
  latest(): string | null {
    return [...this.#origins.values()].at(-1) ?? null
  }

  /** How long no lease has been held; 0 while one is. */
  emptyFor(): number {
    return this.#origins.size > 0 ? 0 : this.#now() - this.#emptySince
  }

  /** Whether a lease was ever held. */
  wasUsed(): boolean {
    return this.#count > 0
  }
}

const Facts = z.object({
  port: z.int(),
  pid: z.int(),
  secretKey: z.string(),
  publishableKey: z.string(),
  webhookSecret: z.string(),
  clientId: z.string(),
  clientSecret: z.string(),
  webhookId: z.string(),
  control: z.string(),
})
/** What a running sandbox tells the app processes that share its data folder. */
type Facts = z.infer<typeof Facts>

function factsPath(dataDir: string): string {
  return join(dataDir, 'sandbox.json')
}

/** Writes the file atomically, readable by its owner only. */
export async function writeFacts(dataDir: string, keys: Keys, port: number): Promise<void> {
  const { signingKey: _private, verifyingKey: _public, ...rest } = keys
  const facts: Facts = { ...rest, port, pid: process.pid }
  const draft = `${factsPath(dataDir)}.${process.pid}`
  await writeFile(draft, JSON.stringify(facts), { mode: 0o600 })
  await chmod(draft, 0o600)
  await rename(draft, factsPath(dataDir))
}

/** Null when the file does not exist or cannot be read. */
export async function readFacts(dataDir: string): Promise<Facts | null> {
  try {
    return Facts.parse(JSON.parse(await readFile(factsPath(dataDir), 'utf8')))
  } catch {
    return null
  }
}

const PROGRAM = fileURLToPath(new URL('./main.ts', import.meta.url))
const START_TIMEOUT_MS = 15_000
const POLL_MS = 50
const RESPONSE_TIMEOUT_MS = 2_000
/** How long a stopping app process waits for a sandbox that ends with it. */
const SHUTDOWN_TIMEOUT_MS = 1_500
/** Delay between restarts of a sandbox that dies at once. */
const RESTART_MS = 500

/** How to reach both protocols of a sandbox. */
export function accessOf(facts: Omit<Facts, 'pid' | 'control'>): SandboxAccess {
  const base = `http://127.0.0.1:${facts.port}`
  return {
    stripe: {
      base,
      secretKey: facts.secretKey,
      publishableKey: facts.publishableKey,
      webhookSecrets: [facts.webhookSecret],
      isLive: false,
    },
    paypal: {
      base,
      environment: 'sandbox',
      clientId: facts.clientId,
      clientSecret: facts.clientSecret,
      webhookId: facts.webhookId,
    },
  }
}

/** Detached, because other app processes may go on using it after the one that started it. */
function startProgram(dataDir: string): void {
  const errorLog = openSync(join(dataDir, 'sandbox.log'), 'a', 0o600)
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', PROGRAM], {
    detached: true,
    windowsHide: true,
    stdio: ['ignore', 'ignore', errorLog],
    env: { ...process.env, DATA_DIR: dataDir },
  })
  // Without a file or memory it does not start: the next check finds no sandbox.
  child.on('error', () => {})
  child.unref()
  closeSync(errorLog)
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = connect({ host: '127.0.0.1', port })
    probe.on('connect', () => resolve(true))
    probe.on('error', () => resolve(false))
    probe.on('connect', () => probe.destroy())
  })
}

type HeldLease = { facts: Facts; end(): void }

/** Takes a lease; resolves when it is held, rejects when none is granted. */
function takeLease(facts: Facts, origin: string, onLost: () => void): Promise<HeldLease> {
  return new Promise((resolve, reject) => {
    const asking = request({
      host: '127.0.0.1',
      port: facts.port,
      path: `${LEASE_PATH}?origin=${encodeURIComponent(origin)}`,
      headers: { authorization: `Bearer ${facts.control}` },
      agent: false,
      timeout: RESPONSE_TIMEOUT_MS,
    })
    asking.on('error', reject)
    asking.on('timeout', () => asking.destroy(new Error('The sandbox does not answer.')))
    asking.on('response', (response) => {
      response.resume()
      asking.setTimeout(0)
      // Must not keep this process alive.
      response.socket.unref()
      if (response.statusCode !== 200) {
        asking.destroy()
        reject(new Error(`The sandbox gave no lease: ${response.statusCode}.`))
        return
      }
      response.on('close', onLost)
      resolve({
        facts,
        end: () => {
          response.off('close', onLost)
          asking.destroy()
        },
      })
    })
    asking.end()
  })
}

/** An app process's side of the sandbox: finds it, starts it if there is none, and restarts it. */
export class SandboxLink implements SandboxConnection {
  readonly #dataDir: string
  #origin = ''
  #held: Promise<HeldLease> | null = null
  #isStopped = false

  constructor(dataDir: string) {
    this.#dataDir = dataDir
  }

  /** Finds or starts the sandbox, which delivers webhooks to `origin`. Failures show at the next use. */
  start(origin: string): void {
    this.#origin = origin
    this.#reach().catch(() => {})
  }

  async access(): Promise<SandboxAccess> {
    try {
      return accessOf((await this.#reach()).facts)
    } catch (error) {
      throw new UpstreamError('The payment sandbox', error)
    }
  }

  /** Releases the lease: with the last one the sandbox ends, and its files are no longer written. */
  async stop(): Promise<void> {
    this.#isStopped = true
    const held = await this.#held?.catch(() => null)
    if (held === undefined || held === null) return
    held.end()
    const giveUpAt = monotonic() + SHUTDOWN_TIMEOUT_MS
    while (monotonic() < giveUpAt && (await isListening(held.facts.port))) await sleep(POLL_MS)
  }

  #reach(): Promise<HeldLease> {
    if (this.#isStopped) return Promise.reject(new Error('This process is stopping.'))
    this.#held ??= this.#find().catch((error: unknown) => {
      this.#held = null
      throw error
    })
    return this.#held
  }

  readonly #lost = (): void => {
    this.#held = null
    if (this.#isStopped) return
    setTimeout(() => {
      if (!this.#isStopped) this.#reach().catch(() => {})
    }, RESTART_MS).unref()
  }

  async #find(): Promise<HeldLease> {
    const giveUpAt = monotonic() + START_TIMEOUT_MS
    let failure: unknown = null
    let startedAt: number | null = null
    while (monotonic() < giveUpAt && !this.#isStopped) {
      try {
        const facts = await readFacts(this.#dataDir)
        if (facts !== null) return await takeLease(facts, this.#origin, this.#lost)
      } catch (error) {
        failure = error
      }
      // The old sandbox may have been about to end at the last check: retry from time to time.
      if (startedAt === null || monotonic() - startedAt > 2_000) {
        startProgram(this.#dataDir)
        startedAt = monotonic()
      }
      await sleep(POLL_MS)
    }
    throw new Error('The payment sandbox did not start.', { cause: failure })
  }
}
