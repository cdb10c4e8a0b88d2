import { chmod } from 'node:fs/promises'
import { flushCompileCache } from 'node:module'
import { collectDefaultMetrics } from 'prom-client'
import { openDatabase, retryUntilReachable } from '#db/engine.ts'
import { isDatabaseDown, NewerDatabaseError, OldDatabaseError, PoolerError } from '#db/failures.ts'
import { SandboxLink } from '#sandbox/link.ts'
import type { Services } from './context.ts'
import { makeDocuments } from './gateways/documents.ts'
import { makeDemoMail, makeSmtpMail } from './gateways/mail.ts'
import { makeGateways, traceExternal } from './gateways/make-gateways.ts'
import { makeOutsideCalendars, makeOutsideHttp } from './gateways/outside-calendars.ts'
import { makePictures } from './gateways/pictures.ts'
import { makeRegisters } from './gateways/registers.ts'
import { makeApp, makeOperatorApp } from './http/app.ts'
import { type Listening, listen } from './http/listen.ts'
import { type JobLoop, startJobs } from './jobs/loop.ts'
import { jobsFor, OUTBOX_JOBS } from './jobs/registry.ts'
import { monotonic, now } from './kernel/clock.ts'
import { type Config, ConfigError, readConfig } from './kernel/config/config.ts'
import { chance, newId } from './kernel/ids.ts'
import { makeRateLimiter } from './kernel/limits/rate-limit.ts'
import { makeBackground } from './kernel/limits/semaphore.ts'
import { type Log, makeLog } from './kernel/log.ts'
import { makeFolder } from './kernel/make-folder.ts'
import { makeOutboxSignal } from './kernel/outbox.ts'
import { makePasswords } from './kernel/security/passwords.ts'
import { bankSecrets, makeSecrets, makeVault, readMasterKey } from './kernel/security/secrets.ts'
import { isTracingOn, makeMetrics, NO_TRACING, type Tracing } from './kernel/telemetry.ts'
import { documentFolder, mediaFolder, type PrintLine, prepare, welcome } from './prepare.ts'
import { makeStartLink } from './super-users/super-users.ts'
import { readRegisterTable } from './verification/register/import-register.ts'
import { withDemoOutages } from './verification/register/read-registration-status.ts'

/** Tells the new process image that it is the second one. */
const RESTARTED = 'APPOSITE_RENEWED'

/** Whether this process can replace itself with a fresh one. */
function canRestart(config: Config, env: NodeJS.ProcessEnv): boolean {
  return (
    process.platform !== 'win32' &&
    env[RESTARTED] === undefined &&
    // An IPC parent would lose its channel, and an in-memory database its data.
    process.channel === undefined &&
    !config.databaseUrl.includes(':memory:')
  )
}

/**
 * Restarts the program with the same process id, terminal and environment, and does not return. The memory
 * used to generate the demo would otherwise never be released. The compile cache is flushed first, so that
 * the second start is fast.
 */
function restart(env: NodeJS.ProcessEnv): void {
  flushCompileCache()
  const { execPath, execArgv, argv } = process
  process.execve?.(execPath, [execPath, ...execArgv, ...argv.slice(1)], {
    ...env,
    [RESTARTED]: '1',
  })
}

type Environment = Record<string, string | undefined>

function printError(lines: string[]): void {
  process.stderr.write(`${lines.join('\n')}\n`)
}

/** A demo prints lines for people at a terminal, a real installation writes to the log. */
function linePrinter(config: Config, log: Log): PrintLine {
  return config.demo ? (line) => process.stdout.write(`${line}\n`) : (line) => log.info(line)
}

/** Postgres timeout of a request in milliseconds, also for locks. */
const ANSWER_WITHIN_MS = 20_000

/** Long enough for Postgres to recover from a crash; after that, the process supervisor decides. */
const WAIT_FOR_DATABASE_MS = 30_000

/** The umask: files are accessible to the owner of this process only. */
const OWNER_ONLY = 0o077

/** Restricts the files of a SQLite database created before the umask was set. */
async function restrictPermissions({ databaseUrl }: Config): Promise<void> {
  if (!databaseUrl.startsWith('sqlite:')) return
  const file = databaseUrl.slice('sqlite:'.length)
  for (const end of ['', '-wal', '-shm', '.start']) {
    // Missing, or owned by another user, who then has to restrict it.
    await chmod(`${file}${end}`, 0o600).catch(() => undefined)
  }
}

/** Creates the data folder and its folder for pictures. Throws `ConfigError` if it cannot. */
async function makeDataFolder(config: Config): Promise<void> {
  try {
    await makeFolder(mediaFolder(config))
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : ''
    throw new ConfigError([
      `DATA_DIR is ${config.dataDir}, which cannot be created or written to${code}.`,
    ])
  }
}

type Assembled = { services: Services; sandbox: SandboxLink | null }

/** Makes all services for a configuration; nothing is started yet. */
export async function makeServices(
  config: Config,
  log: Log,
  tracing: Tracing = NO_TRACING,
): Promise<Assembled> {
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
  const services: Services = traceExternal(tracing, {
    secrets,
    vault: makeVault(bankSecrets(config, master)),
    passwords: makePasswords(),
    pictures: makePictures(mediaFolder(config)),
    documents: makeDocuments(documentFolder(config), secrets),
    registers: makeRegisters({
      urls: config.registers,
      table: config.demo ? withDemoOutages(table) : table,
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
    gateways: makeGateways({ ...config, now, chance, sandbox, metrics }),
    metrics,
    outbox: makeOutboxSignal(),
    tracing,
  })
  return { services, sandbox }
}

type Running = Assembled & {
  listening: Listening
  jobs: JobLoop
  /** Work that still uses the database after the start. */
  offered: Promise<void>
}

/** Stops in an order that loses nothing: requests, jobs, then what both use. */
async function stop({ services, sandbox, listening, jobs, offered }: Running): Promise<void> {
  await listening.stop()
  await offered.catch(() => undefined)
  await jobs.stop()
  await sandbox?.stop()
  await services.database.close()
  await services.tracing.stop()
}

function stopOnSignals(running: Running, say: PrintLine): void {
  let isStopping = false
  const onSignal = () => {
    // A second signal exits at once.
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

/**
 * An unhandled rejection in one request must not affect others; after an uncaught exception the state is
 * unknown, so the process exits.
 */
function handleDefects(log: Log): void {
  process.on('unhandledRejection', (error) => {
    log.error({ err: error }, 'unhandled rejection')
  })
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'uncaught exception')
    process.exit(1)
  })
}

/** Why the port cannot be opened, as text for people; null when it is a defect of ours. */
function portProblem(error: unknown, { host, port: site }: Config): string[] | null {
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

/** Listens at PORT, and at METRICS_PORT if set; both stop together. */
async function listenAll(services: Services): Promise<Listening> {
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
    return await listenAll(services)
  } catch (error) {
    const why = portProblem(error, config)
    if (why === null) throw error
    await services.database.close()
    printError(why)
    return null
  }
}

/** Postgres gets separate connections: a migration may take longer than the request timeout. */
async function prepareOnPostgres(config: Config, say: PrintLine): Promise<boolean> {
  const patient = openDatabase(config.databaseUrl, { isDirect: config.databaseDirect })
  try {
    return await prepare(patient, config, { now: now(), say })
  } finally {
    await patient.close()
  }
}

/** Waits for a Postgres that is restarting, or starting alongside this process. */
async function prepareWhenReachable(
  { database, config }: Services,
  say: PrintLine,
): Promise<boolean> {
  if (database.engine === 'sqlite') return prepare(database, config, { now: now(), say })
  return retryUntilReachable(() => prepareOnPostgres(config, say), {
    forMs: WAIT_FOR_DATABASE_MS,
    say: (seconds) => printError([`The database cannot be reached yet: trying for ${seconds} s.`]),
  })
}

/** A failed start must not keep the process alive through an open connection. */
async function prepareAndOpen(services: Services, say: PrintLine): Promise<Listening | null> {
  try {
    const isMade = await prepareWhenReachable(services, say)
    if (isMade && canRestart(services.config, process.env)) {
      await services.database.close()
      restart(process.env)
    }
    return await startListening(services)
  } catch (error) {
    await services.database.close()
    throw error
  }
}

/** The address of this process from this machine. */
function ownAddress({ host }: Config, port: number): string {
  const isAny = ['0.0.0.0', '::', 'localhost'].includes(host)
  const name = isAny ? '127.0.0.1' : host
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`
}

/**
 * Prints the link for creating the first superuser of a real installation, at each start until there is one.
 * Not through the log, which is stored: the address is a secret for a day.
 */
async function printStartLink(services: Services): Promise<void> {
  if (services.config.demo) return
  const link = await makeStartLink(services)
  if (link === null) return
  process.stdout.write(
    `There are no staff yet. Create the first superuser here; the link works once, for 24 hours:\n  ${link}\n`,
  )
}

/** Loaded on demand, so that it costs nothing when tracing is off. */
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
  const say = linePrinter(config, log)
  handleDefects(log)
  process.umask(OWNER_ONLY)
  await makeDataFolder(config)
  await restrictPermissions(config)
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
  // Must follow listening, because the sandbox sends its events to this address.
  sandbox?.start(ownAddress(config, listening.port))
  collectDefaultMetrics({ register: services.metrics.registry })
  const offered = printStartLink(services)
  // Must precede the welcome lines, which tell others that the server can be stopped.
  stopOnSignals({ services, sandbox, listening, jobs, offered }, say)
  for (const line of welcome(config, listening.port)) say(line)
  await offered
}

/** Why the database is unavailable, as text for people; null when it is a defect of ours. */
function whyNoDatabase(error: unknown): string | null {
  if (!(error instanceof Error)) return null
  const telling = [NewerDatabaseError, OldDatabaseError, PoolerError]
  if (telling.some((one) => error instanceof one)) return error.message
  // Without the address, which contains a password.
  const code = 'code' in error && typeof error.code === 'string' ? ` (${error.code})` : ''
  if (isDatabaseDown(error)) return `The database cannot be reached or written${code}.`
  return error.message.startsWith('Cannot open database') ? `${error.message}.` : null
}

/** Starts the server; on failure prints the reason and sets exit code 1. */
export async function start(env: Environment): Promise<void> {
  try {
    await run(readConfig(env), await startTracing(env))
  } catch (error) {
    process.exitCode = 1
    const why = whyNoDatabase(error)
    if (why !== null) printError([why, 'See DATABASE_URL and DATA_DIR in the environment.'])
    else if (!(error instanceof ConfigError)) throw error
    else
      printError([
        'Apposite cannot start. Change these in the environment:',
        ...error.problems.map((problem) => `  - ${problem}`),
      ])
  }
}
