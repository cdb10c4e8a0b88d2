import { spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { request } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { EmbeddedSandbox, SandboxAccess } from '#server/gateways/payment-gateways.ts'
import { monotonic } from '#server/kernel/clock.ts'
import { UpstreamError } from '#server/kernel/errors.ts'
import { type Facts, readFacts } from './facts.ts'
import { LEASE_PATH } from './leases.ts'

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
export class SandboxLink implements EmbeddedSandbox {
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
