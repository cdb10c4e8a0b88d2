import { type ChildProcess, spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import * as z from 'zod/mini'
import { ErrorData } from '#contract/base/errors.ts'
import { bareEnvironment } from '#scripts/test/run-script.ts'
import type { TestSandbox } from './sandbox.ts'

const MAIN = fileURLToPath(new URL('../../../server/main.ts', import.meta.url))
const POLL_INTERVAL_MS = 25

const Body = z.object({
  result: z.optional(z.object({ data: z.unknown() })),
  error: z.optional(z.object({ message: z.string(), data: ErrorData })),
})

/** A free local port. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => {
        if (address !== null && typeof address === 'object') resolve(address.port)
        else reject(new Error('The system gave no port.'))
      })
    })
  })
}

/** Waits until the condition holds. */
export async function waitUntil(condition: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await condition())) await sleep(POLL_INTERVAL_MS)
}

/** The real server as a separate process, with a client that calls it. */
export class ServerProcess {
  readonly #env: Record<string, string>
  readonly #site: string
  readonly #main: string
  #child: ChildProcess | null = null
  /** Output of the process since it was started. */
  output = ''

  /** `main`: a script to run instead of the server's own entry point. */
  constructor(env: Record<string, string>, port: number, main = MAIN) {
    this.#main = main
    this.#env = { ...env, PORT: String(port), HOST: '127.0.0.1' }
    this.#site = `http://127.0.0.1:${port}`
  }

  /** Resolves when the server responds; rejects with its output when it exits instead. */
  async start(): Promise<void> {
    const child = spawn(process.execPath, [this.#main], {
      env: { ...bareEnvironment, ...this.#env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.#child = child
    this.output = ''
    child.stdout.on('data', (chunk: Buffer) => {
      this.output += chunk.toString()
    })
    let complaint = ''
    child.stderr.on('data', (chunk: Buffer) => {
      complaint += chunk.toString()
    })
    await waitUntil(async () => {
      if (child.exitCode !== null) throw new Error(`The server ended: ${complaint}`)
      return fetch(`${this.#site}/healthz`).then(
        ({ ok }) => ok,
        () => false,
      )
    })
  }

  /** Simulates a power failure. Resolves when the process has exited. */
  kill(): Promise<void> {
    return this.#end('SIGKILL')
  }

  /** Stops it as a service manager does: requests under way may finish. */
  stop(): Promise<void> {
    return this.#end('SIGTERM')
  }

  async #end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const child = this.#child
    if (child === null || child.exitCode !== null || child.signalCode !== null) return
    const gone = new Promise((resolve) => child.once('exit', resolve))
    child.kill(signal)
    await gone
  }

  /** Calls a mutation as the owner of the token. */
  act(path: string, input: object, token?: string): Promise<unknown> {
    const init = { method: 'POST', body: JSON.stringify(input) }
    return this.#call(`/trpc/${path}`, init, token)
  }

  /** Calls a query. */
  ask(path: string, input: object, token?: string): Promise<unknown> {
    const query = encodeURIComponent(JSON.stringify(input))
    return this.#call(`/trpc/${path}?input=${query}`, {}, token)
  }

  async #call(path: string, init: RequestInit, token: string | undefined): Promise<unknown> {
    const headers = new Headers({ 'content-type': 'application/json' })
    if (token !== undefined) headers.set('authorization', `Bearer ${token}`)
    const response = await fetch(`${this.#site}${path}`, { ...init, headers })
    const { result, error } = Body.parse(await response.json())
    if (error !== undefined) throw new Error(`${path}: ${error.data.appCode}`)
    return result?.data
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill()
  }
}

/**
 * Environment of a server without demo mode, which skips generating thousands of providers. Its gateway
 * outlives it, as real ones do, and sends no webhooks.
 */
export async function realEnvironment(sandbox: TestSandbox, dataDir: string) {
  const { stripe, paypal } = await sandbox.connection.access()
  return {
    DATA_DIR: dataDir,
    LOG_LEVEL: 'error',
    DEMO_MODE: 'off',
    SECRET_KEY: 'of this test and nothing else, as long as it has to be',
    PUBLIC_URL: 'https://care.example',
    MAIL_FROM: 'no-reply@care.example',
    SUPPORT_EMAIL: 'support@care.example',
    COMPANY_NAME: 'Care Ltd',
    COMPANY_REGISTRATION: '1',
    COMPANY_ADDRESS: '1 Harper Road, London',
    TRUSTED_PROXIES: 'none',
    STRIPE_API_BASE: sandbox.baseUrl,
    STRIPE_SECRET_KEY: stripe.secretKey,
    STRIPE_PUBLISHABLE_KEY: stripe.publishableKey,
    STRIPE_WEBHOOK_SECRET: stripe.webhookSecrets[0] ?? '',
    PAYPAL_API_BASE: sandbox.baseUrl,
    PAYPAL_CLIENT_ID: paypal.clientId,
    PAYPAL_CLIENT_SECRET: paypal.clientSecret,
    PAYPAL_WEBHOOK_ID: paypal.webhookId,
  }
}
