import { chmod, mkdir } from 'node:fs/promises'
import { collectDefaultMetrics } from 'prom-client'
import { openDatabase } from '#db/engine.ts'
import { isDatabaseOut, NewerDatabaseError, PoolerError } from '#db/failures.ts'
import { whenReachable } from '#db/when-reachable.ts'
import { SandboxLink } from '#sandbox/link.ts'
import { type Config, ConfigError, readConfig } from '#server/kernel/config/config.ts'
import { makeBackground } from '#server/kernel/limits/background.ts'
import { makeRateLimiter } from '#server/kernel/limits/rate-limit.ts'
import { makePasswords } from '#server/kernel/security/passwords.ts'
import { bankSecrets, readMasterKey } from '#server/kernel/security/secret-key.ts'
import { makeSecrets } from '#server/kernel/security/secrets.ts'
import { makeVault } from '#server/kernel/security/vault.ts'
import { makeStartLink } from '#server/super-users/add-first.ts'
import { readRegisterTable } from '#server/verification/register/import-register.ts'
import { demoSilence } from '#server/verification/register/read-standing.ts'
import type { Services } from './context.ts'
import { makeDocuments } from './gateways/documents.ts'
import { makeDemoMail, makeSmtpMail } from './gateways/mail.ts'
import { makeGateways } from './gateways/make-gateways.ts'
import { makeOutsideCalendars } from './gateways/outside-calendars.ts'
import { makeOutsideHttp } from './gateways/outside-http.ts'
import { makePictures } from './gateways/pictures.ts'
import { makeRegisters } from './gateways/registers.ts'
import { traceOutside } from './gateways/traced.ts'
import { makeApp, makeOperatorApp } from './http/app.ts'
import { type Listening, listen } from './http/listen.ts'
import { type JobLoop, startJobs } from './jobs/loop.ts'
import { jobsFor, OUTBOX_JOBS } from './jobs/registry.ts'
import { monotonic, now } from './kernel/clock.ts'
import { chance, newId } from './kernel/ids.ts'
import { type Log, makeLog } from './kernel/log.ts'
import { makeMetrics } from './kernel/metrics.ts'
import { makeOutboxSignal } from './kernel/outbox.ts'
import { isTracingOn, NO_TRACING, type Tracing } from './kernel/tracing.ts'
import { welcome } from './pages/welcome.ts'
import { documentFolder, mediaFolder, prepare, type Say } from './prepare.ts'
import { canRenew, renew } from './renew.ts'

type Environment = Record<string, string | undefined>

function complain(lines: string[]): void {
  process.stderr.write(`${lines.join('\n')}\n`)
}

/** People at a terminal read lines, machines read the log. */
function speaker(config: Config, log: Log): Say {
  return config.demo ? (line) => process.stdout.write(`${line}\n`) : (line) => log.info(line)
}

/** Milliseconds a request waits for Postgres at most, and for a lock there. */
const ANSWER_WITHIN_MS = 20_000

/** A Postgres that recovers from a crash is back by then; otherwise whoever supervises us decides. */
const WAIT_FOR_DATABASE_MS = 30_000

/** What is kept belongs to the owner of this process alone. */
const OWNER_ONLY = 0o077

/** Files of a database that was made before this was so. */
async function closeToOthers({ databaseUrl }: Config): Promise<void> {
  if (!databaseUrl.startsWith('sqlite:')) return
  const file = databaseUrl.slice('sqlite:'.length)
  for (const end of ['', '-wal', '-shm', '.start']) {
    // Not there yet, or of another owner, who then has to see to it.
    await chmod(`${file}${end}`, 0o600).catch(() => undefined)
  }
}

type Made = { services: Services; sandbox: SandboxLink | null }

/** Everything the server works with, for a configuration; nothing is started yet. */
export async function makeServices(
  config: Config,
  log: Log,
  tracing: Tracing = NO_TRACING,
): Promise<Made> {
  const { stripe, paypal } = config.payments
  const sandbox = stripe === null || paypal === null ? new SandboxLink(config.dataDir) : null
  const master = await readMasterKey(config)
  const secrets = makeSecrets(master)
  const database = openDatabase(config.databaseUrl, {
    answerWithinMs: ANSWER_WITHIN_MS,
    readUrl: config.databaseReadUrl,
    isDirect: config.databaseDirect,
    ...(tracing.isOn ? { onQuery: (ended) => tracing.query(ended) } : {}),
  })
  const table = readRegisterTable(database)
  const metrics = makeMetrics()
  const services: Services = traceOutside(tracing, {
    secrets,
    vault: makeVault(bankSecrets(config, master)),
    passwords: makePasswords(),
    pictures: makePictures(mediaFolder(config)),
    documents: makeDocuments(documentFolder(config), secrets),
    registers: makeRegisters({
      urls: config.registers,
      table: config.demo ? demoSilence(table) : table,
      now,
    }),
    outsideCalendars: makeOutsideCalendars(
      makeOutsideHttp({ publicUrl: config.publicUrl, testHosts: config.outsideTestHosts }),
    ),
    database,
    now,
    newId,
    chance,
    log,
    config,
    limiter: makeRateLimiter(monotonic),
    background: makeBackground(),
    mail: config.smtpUrl === null ? makeDemoMail() : makeSmtpMail(config.smtpUrl, config.mailFrom),
    gateways: makeGateways({ ...config, now, chance, standIn: sandbox, metrics }),
    metrics,
    outbox: makeOutboxSignal(),
    tracing,
  })
  return { services, sandbox }
}

type Running = Made & {
  listening: Listening
  jobs: JobLoop
  /** What is still looked up after the start, with the same database. */
  offered: Promise<void>
}

/** Ends in the order in which nothing is lost: requests, jobs, then what both of them use. */
async function stop({ services, sandbox, listening, jobs, offered }: Running): Promise<void> {
  await listening.stop()
  await offered.catch(() => undefined)
  await jobs.stop()
  await sandbox?.stop()
  await services.database.close()
  await services.tracing.stop()
}

function stopOnSignals(running: Running, say: Say): void {
  let isStopping = false
  const onSignal = () => {
    // Asked twice: whoever asks is in a hurry.
    if (isStopping) process.exit(1)
    isStopping = true
    say('Stopping')
    stop(running).then(
      () => process.exit(0),
      (error: unknown) => {
        running.services.log.error({ err: error }, 'stopping failed')
        process.exit(1)
      },
    )
  }
  process.on('SIGINT', onSignal)
  process.on('SIGTERM', onSignal)
}

/** A defect in one request must not take the others down; after a torn stack nothing is certain. */
function surviveDefects(log: Log): void {
  process.on('unhandledRejection', (error) => {
    log.error({ err: error }, 'a promise was rejected and nobody listened')
  })
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'an exception was caught by nobody')
    process.exit(1)
  })
}

/** Why nothing can listen there, for people; null when it is a defect of ours. */
function whyClosed(error: unknown, { host, port: site }: Config): string[] | null {
  if (!(error instanceof Error) || !('code' in error)) return null
  const port = 'port' in error ? Number(error.port) : site
  switch (error.code) {
    case 'EADDRINUSE':
      return [
        `Port ${port} is taken by another program.`,
        `Stop it, or choose another port: PORT=${port + 1} npm start`,
      ]
    case 'EACCES':
      return [
        `This user may not listen on port ${port}. Choose one above 1023: PORT=3000 npm start`,
      ]
    case 'EADDRNOTAVAIL':
      return [`This machine has no address ${host}. Set HOST to one it has, or leave it out.`]
    default:
      return null
  }
}

/** At PORT, and at METRICS_PORT where one is set, which is closed with the other. */
async function listenTwice(services: Services): Promise<Listening> {
  const { config } = services
  const app = config.role === 'jobs' ? makeOperatorApp(services) : makeApp(services)
  const site = await listen(app, config)
  if (config.metricsPort === null) return site
  const at = { ...config, port: config.metricsPort }
  try {
    const numbers = await listen(makeOperatorApp(services), at)
    return {
      port: site.port,
      stop: async () => {
        await Promise.all([site.stop(), numbers.stop()])
      },
    }
  } catch (error) {
    await site.stop()
    throw error
  }
}

async function startListening(services: Services): Promise<Listening | null> {
  const { config } = services
  try {
    return await listenTwice(services)
  } catch (error) {
    const why = whyClosed(error, config)
    if (why === null) throw error
    await services.database.close()
    complain(why)
    return null
  }
}

/** On Postgres by connections of its own: a migration may take longer than any request waits. */
async function prepareOnPostgres(config: Config, say: Say): Promise<boolean> {
  const patient = openDatabase(config.databaseUrl, { isDirect: config.databaseDirect })
  try {
    return await prepare(patient, config, { now: now(), say })
  } finally {
    await patient.close()
  }
}

/** A Postgres that restarts, or starts beside this process, is waited for. */
async function makeReady({ database, config }: Services, say: Say): Promise<boolean> {
  if (database.engine === 'sqlite') return prepare(database, config, { now: now(), say })
  return whenReachable(() => prepareOnPostgres(config, say), {
    forMs: WAIT_FOR_DATABASE_MS,
    say: (seconds) => complain([`The database cannot be reached yet: trying for ${seconds} s.`]),
  })
}

/** A process that cannot serve must not linger on an open connection. */
async function prepareAndOpen(services: Services, say: Say): Promise<Listening | null> {
  try {
    const isMade = await makeReady(services, say)
    if (isMade && canRenew(services.config, process.env)) {
      await services.database.close()
      await renew(process.env)
    }
    return await startListening(services)
  } catch (error) {
    await services.database.close()
    throw error
  }
}

/** Where this very process can be reached from this machine. */
function ownAddress({ host }: Config, port: number): string {
  const isAny = ['0.0.0.0', '::', 'localhost'].includes(host)
  const name = isAny ? '127.0.0.1' : host
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`
}

/**
 * Tells whoever runs a real installation how its first superuser comes in, at each start until there is
 * one. Not through the log, which is kept: the address is a secret for a day.
 */
async function offerStart(services: Services): Promise<void> {
  if (services.config.demo) return
  const link = await makeStartLink(services)
  if (link === null) return
  process.stdout.write(
    `Nobody is on the staff yet. Make the first superuser within 24 hours, once, at:\n  ${link}\n`,
  )
}

/** Loaded only where it is asked for: whoever wants no traces pays nothing for them. */
async function startTracing(env: Environment): Promise<Tracing> {
  if (!isTracingOn(env)) return NO_TRACING
  const { makeTracing } = await import('./open-telemetry.ts')
  return makeTracing(env)
}

async function run(config: Config, tracing: Tracing): Promise<void> {
  const log = makeLog({
    level: config.logLevel,
    style: config.demo ? 'line' : 'json',
    ...(tracing.isOn ? { traceId: () => tracing.traceId() } : {}),
  })
  const say = speaker(config, log)
  surviveDefects(log)
  process.umask(OWNER_ONLY)
  await mkdir(mediaFolder(config), { recursive: true })
  await closeToOthers(config)
  const { services, sandbox } = await makeServices(config, log, tracing)
  const listening = await prepareAndOpen(services, say)
  if (listening === null) {
    process.exitCode = 1
    return
  }
  const jobs = startJobs(services, jobsFor(config))
  services.outbox.onWake(() => {
    for (const name of OUTBOX_JOBS) jobs.wake(name)
  })
  // After the door is open, because it is told where to bring its events.
  sandbox?.start(ownAddress(config, listening.port))
  collectDefaultMetrics({ register: services.metrics.registry })
  const offered = offerStart(services)
  // Before anybody is told that it serves, and may ask it to stop.
  stopOnSignals({ services, sandbox, listening, jobs, offered }, say)
  for (const line of welcome(config, listening.port)) say(line)
  await offered
}

/** Why there is no database to work with, for people; null when it is a defect of ours. */
function whyNoDatabase(error: unknown): string | null {
  if (!(error instanceof Error)) return null
  if (error instanceof NewerDatabaseError || error instanceof PoolerError) return error.message
  // Not the address itself: there is a password in it.
  const code = 'code' in error && typeof error.code === 'string' ? ` (${error.code})` : ''
  if (isDatabaseOut(error)) return `The database cannot be reached or written${code}.`
  return error.message.startsWith('Cannot open database') ? `${error.message}.` : null
}

/** Starts the server of an environment, or says what keeps it from starting and ends with 1. */
export async function start(env: Environment): Promise<void> {
  try {
    await run(readConfig(env), await startTracing(env))
  } catch (error) {
    process.exitCode = 1
    const why = whyNoDatabase(error)
    if (why !== null) complain([why, 'See DATABASE_URL and DATA_DIR in the environment.'])
    else if (!(error instanceof ConfigError)) throw error
    else
      complain([
        'Apposite cannot start. Change these in the environment:',
        ...error.problems.map((problem) => `  - ${problem}`),
      ])
  }
}
