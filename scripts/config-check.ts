/**
 * Lists which settings are set and which are missing, then tries to reach the database, its replica, the
 * mail server and both gateways. Changes nothing. Exits with 1 when something does not work, with 2 when the
 * server would not start with these settings.
 *
 *     npm run apposite -- config
 */
import { env, stdout } from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { openDatabase } from '#db/engine.ts'
import { MAX_LAG_MS, type Replica } from '#db/replica.ts'
import { verifySmtp } from '#server/gateways/mail.ts'
import { makeGateways } from '#server/gateways/make-gateways.ts'
import { now } from '#server/kernel/clock.ts'
import { type Config, readConfig } from '#server/kernel/config/config.ts'
import { isTracingOn } from '#server/kernel/telemetry.ts'
import { COMMANDS } from './commands.ts'
import { databaseExists } from './database-file.ts'
import { reasonOf } from './problems.ts'
import { runCommand } from './run-command.ts'

/** Whether a real installation needs a setting, and whether its value may be shown. */
type Setting = { needed?: true; secret?: true }

/** Every setting of the server, in the order of the table in docs/operating.md, which a test compares. */
export const SETTINGS: Readonly<Record<string, Setting>> = {
  DEMO_MODE: {},
  SECRET_KEY: { needed: true, secret: true },
  BANK_KEYS: { secret: true },
  PUBLIC_URL: { needed: true },
  DATABASE_URL: { secret: true },
  DATABASE_READ_URL: { secret: true },
  DATABASE_DIRECT: {},
  DATA_DIR: {},
  SMTP_URL: { needed: true, secret: true },
  MAIL_FROM: { needed: true },
  SUPPORT_EMAIL: { needed: true },
  STRIPE_SECRET_KEY: { needed: true, secret: true },
  STRIPE_PUBLISHABLE_KEY: { needed: true },
  STRIPE_WEBHOOK_SECRET: { needed: true, secret: true },
  PAYPAL_ENV: {},
  PAYPAL_CLIENT_ID: { needed: true },
  PAYPAL_CLIENT_SECRET: { needed: true, secret: true },
  PAYPAL_WEBHOOK_ID: { needed: true },
  STRIPE_API_BASE: {},
  PAYPAL_API_BASE: {},
  COMPANY_NAME: { needed: true },
  COMPANY_REGISTRATION: { needed: true },
  COMPANY_ADDRESS: { needed: true },
  REGISTRY_GMC_URL: {},
  REGISTRY_GDC_URL: {},
  REGISTRY_NPI_URL: {},
  HOST: {},
  PORT: {},
  TRUSTED_PROXIES: { needed: true },
  METRICS_TOKEN: { secret: true },
  METRICS_PORT: {},
  ROLE: {},
  OTEL_EXPORTER_OTLP_ENDPOINT: {},
  OTEL_EXPORTER_OTLP_HEADERS: { secret: true },
  OTEL_TRACES_EXPORTER: {},
  OTEL_SDK_DISABLED: {},
  TILE_URL: {},
  TILE_ATTRIBUTION: {},
  VIDEO_BASE_URL: {},
  GEO_DATA_DIR: {},
  LOG_LEVEL: {},
}

/** Which settings are set and which are not, a line each; values of secrets are not shown. */
function settingLines(): string[] {
  return Object.entries(SETTINGS).map(([name, { needed, secret }]) => {
    const value = env[name]?.trim() ?? ''
    if (value !== '') return `set      ${name}${secret === true ? '' : `=${value}`}`
    return `${needed === true ? 'missing ' : 'default '} ${name}`
  })
}

const MEASURE_EVERY_MS = 200
const TIMEOUTS = { answerWithinMs: 10_000 }

/** A sentence that `run` resolves with is shown. */
type ConnectionTest = { name: string; run: (() => Promise<unknown>) | null; without: string }

async function tryDatabase({ databaseUrl, databaseDirect }: Config): Promise<void> {
  const database = openDatabase(databaseUrl, { ...TIMEOUTS, isDirect: databaseDirect })
  try {
    await sql`select 1`.execute(database.db)
  } finally {
    await database.close()
  }
}

/** Measures until the replica's lag is known, or known to be too large to read from it. */
async function replicaLag(replica: Replica): Promise<string> {
  const giveUpAt = performance.now() + MAX_LAG_MS
  while (performance.now() < giveUpAt) {
    // One measurement after the other.
    await replica.measure()
    if (replica.isFresh()) return `a standby, ${(replica.lagMs() / 1_000).toFixed(1)} s behind`
    await sleep(MEASURE_EVERY_MS)
  }
  throw new Error(`It is more than ${MAX_LAG_MS / 1_000} s behind, so it is not used for now.`)
}

async function tryReplica(config: Config): Promise<string | null> {
  const { databaseUrl, databaseReadUrl: readUrl, databaseDirect: isDirect } = config
  const database = openDatabase(databaseUrl, { ...TIMEOUTS, readUrl, isDirect })
  try {
    return database.replica && (await replicaLag(database.replica))
  } finally {
    await database.close()
  }
}

function connectionTests(config: Config): ConnectionTest[] {
  const { smtpUrl, payments } = config
  const gateways = makeGateways({ payments, now, sandbox: null })
  return [
    {
      name: 'database',
      run: databaseExists(config) ? () => tryDatabase(config) : null,
      without: 'the first start makes it',
    },
    {
      name: 'read replica',
      run: config.databaseReadUrl === null ? null : () => tryReplica(config),
      without: 'everything is read from the database',
    },
    {
      name: 'mail',
      run: smtpUrl === null ? null : () => verifySmtp(smtpUrl),
      without: 'no server is set: emails stay in the demo’s mailbox',
    },
    {
      name: 'Stripe',
      run: payments.stripe === null ? null : () => gateways.stripe.listDisputes(now()),
      without: 'no keys: the sandbox stands in',
    },
    {
      name: 'PayPal',
      run: payments.paypal === null ? null : () => gateways.paypal.listDisputes(now()),
      without: 'no keys: the sandbox stands in',
    },
  ]
}

async function runTest({ name, run, without }: ConnectionTest): Promise<boolean> {
  if (run === null) {
    stdout.write(`${name === 'database' ? 'not yet' : 'not set'}  ${name}: ${without}\n`)
    return true
  }
  try {
    const found = await run()
    stdout.write(`works    ${name}${typeof found === 'string' ? `: ${found}` : ''}\n`)
    return true
  } catch (error) {
    stdout.write(`fails    ${name}: ${reasonOf(error)}\n`)
    return false
  }
}

async function main(): Promise<number> {
  stdout.write(`${settingLines().join('\n')}\n\n`)
  const config = readConfig(env)
  stdout.write(`${isTracingOn(env) ? 'on       tracing' : 'off      tracing'}\n`)
  let isGood = true
  for (const attempt of connectionTests(config)) isGood = (await runTest(attempt)) && isGood
  return isGood ? 0 : 1
}

if (import.meta.main) await runCommand(COMMANDS.config, main, { failed: 2 })
