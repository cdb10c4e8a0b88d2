import { join } from 'node:path'
import { sql } from 'kysely'
import * as z from 'zod/mini'
import { ID_ALPHABET, ID_LENGTH } from '#contract/base/ids.ts'
import type { Database } from '#db/engine.ts'
import { createCaller } from '#server/app-router.ts'
import { type Context, makeContext, type Services, type Viewer } from '#server/context.ts'
import { makeDocuments } from '#server/gateways/documents.ts'
import type { Mail, MailGateway } from '#server/gateways/mail.ts'
import { makeGateways } from '#server/gateways/make-gateways.ts'
import {
  makeOutsideCalendars,
  makeOutsideHttp,
  type OutsideCalendarGateway,
} from '#server/gateways/outside-calendars.ts'
import type { PaymentGateways, SandboxConnection } from '#server/gateways/payment-gateways.ts'
import { makePictures } from '#server/gateways/pictures.ts'
import { makeRegisters } from '#server/gateways/registers.ts'
import { type App, makeApp } from '#server/http/app.ts'
import { deliverOutbox } from '#server/jobs/deliver-outbox.ts'
import { type Config, readConfig } from '#server/kernel/config/config.ts'
import { makeRateLimiter } from '#server/kernel/limits/rate-limit.ts'
import { makeBackground } from '#server/kernel/limits/semaphore.ts'
import { makeLog } from '#server/kernel/log.ts'
import { makeOutboxSignal } from '#server/kernel/outbox.ts'
import { makePasswords } from '#server/kernel/security/passwords.ts'
import { makeSecrets, makeVault } from '#server/kernel/security/secrets.ts'
import { makeMetrics, NO_TRACING } from '#server/kernel/telemetry.ts'
import { readRegisterTable } from '#server/verification/register/import-register.ts'
import { openEmptyDatabase } from './servers/empty-database.ts'

/** Monday 2 March 2026, nine in the morning in London. */
const START = Date.parse('2026-03-02T09:00:00Z')

/** The lowest cost of argon2: hashing at the real one would take longer than most tests. */
const CHEAP = { memory: 8, passes: 1 }

export type TestAppOptions = {
  /** A migrated database to use instead of one in memory. */
  database?: Database
  config?: Partial<Config>
  /** Where emails are sent instead of `testApp.mails`. */
  mail?: MailGateway
  /** A sandbox of `tests/harness/servers/sandbox.ts`; without one no payment can be made. */
  sandbox?: SandboxConnection
  gateways?: PaymentGateways
  /** Gateway to outside calendars; by default none can be reached. */
  outside?: OutsideCalendarGateway
  viewer?: Viewer
  /** Generates ids; processes that share a database must not generate the same ones. */
  newId?: (prefix: string) => string
  /** Epoch milliseconds, instead of a frozen clock; for processes that share a clock. */
  clock?: () => number
}

/** The backend of one test: the real parts with their own database and a frozen clock. */
export type TestApp = {
  database: Database
  services: Services
  app: App
  /** Emails sent so far, in order. */
  mails: Mail[]
  /** What was logged: one JSON object a line. */
  logged: Record<string, unknown>[]
  /** Lets time pass, in milliseconds. */
  advance(ms: number): void
  context(viewer?: Viewer): Context
  /** Calls procedures as the given viewer, by default as a visitor. */
  caller(viewer?: Viewer): ReturnType<typeof createCaller>
  /** Delivers all queued jobs that are due. */
  drainOutbox(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/** Generates sequential ids across all prefixes: `prv_00000000000000000000000001` and so on. */
function countingIds(): (prefix: string) => string {
  let count = 0
  return (prefix) => {
    count += 1
    let digits = ''
    for (let rest = count; rest > 0; rest = Math.floor(rest / 32)) {
      digits = ID_ALPHABET.charAt(rest % 32) + digits
    }
    return `${prefix}_${digits.padStart(ID_LENGTH, '0')}`
  }
}

function capturingMail(mails: Mail[]): MailGateway {
  return {
    send: (mail) => {
      mails.push(mail)
      return Promise.resolve('kept')
    },
  }
}

function capturingLog(logged: Record<string, unknown>[]) {
  const write = (line: string) => {
    logged.push(z.looseObject({}).parse(JSON.parse(line)))
  }
  return makeLog({ level: 'trace', style: 'json', destination: { write } })
}

/** The real outbound client without name resolution, so that no test contacts another host by mistake. */
function unreachable({ publicUrl, outsideTestHosts: testHosts }: Config): OutsideCalendarGateway {
  const resolve = () => Promise.reject(new Error('no name is resolved in tests'))
  return makeOutsideCalendars(makeOutsideHttp({ publicUrl, testHosts, resolve }))
}

/** Builds a test app. Use it with `await using`, so that it ends with the test. */
export async function makeTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const { clock = () => START } = options
  let ahead = 0
  const now = () => clock() + ahead
  const mails: Mail[] = []
  const logged: Record<string, unknown>[] = []
  const database = options.database ?? (await openEmptyDatabase())
  const config: Config = {
    ...readConfig({ DATA_DIR: '.data/testApp', CAPTCHA: 'off' }),
    ...options.config,
  }
  const secrets = makeSecrets(Buffer.alloc(32, 7))
  const services: Services = {
    database,
    now,
    newId: options.newId ?? countingIds(),
    chance: () => 0.5,
    log: capturingLog(logged),
    config,
    limiter: makeRateLimiter(now),
    background: makeBackground(0),
    mail: options.mail ?? capturingMail(mails),
    gateways:
      options.gateways ??
      // No random delay: calls are retried at once after a fault of the sandbox.
      makeGateways({ ...config, now, chance: () => 0, sandbox: options.sandbox ?? null }),
    outbox: makeOutboxSignal(),
    metrics: makeMetrics(),
    tracing: NO_TRACING,
    secrets,
    vault: makeVault([Buffer.alloc(32, 8)]),
    passwords: makePasswords(CHEAP),
    pictures: makePictures(join(config.dataDir, 'media')),
    documents: makeDocuments(join(config.dataDir, 'documents'), secrets),
    outsideCalendars: options.outside ?? unreachable(config),
    registers: makeRegisters({ urls: config.registers, table: readRegisterTable(database), now }),
  }
  const context = (viewer: Viewer = options.viewer ?? { kind: 'visitor' }) =>
    makeContext(services, { viewer, requestId: 'TEST', network: '192.0.2.1' })
  let app: App | undefined
  return {
    database,
    services,
    // Made when it is first asked for: most tests call procedures without HTTP.
    get app() {
      app ??= makeApp(services)
      return app
    },
    mails,
    logged,
    advance: (ms) => {
      ahead += ms
    },
    context,
    caller: (viewer) => createCaller(context(viewer)),
    drainOutbox: () => deliverOutbox(services),
    [Symbol.asyncDispose]: async () => {
      if (options.database === undefined) await database.close()
    },
  }
}

/** How often strangers were refused, by path and network. */
export function strangerDenials({ database }: Pick<TestApp, 'database'>) {
  return database.db
    .selectFrom('stranger_denials')
    .select(['network', 'path', 'code', 'count'])
    .orderBy('path')
    .orderBy('network')
    .execute()
}

/** Every row of every table as JSON, but for the registers, which are public lists. */
export async function dumpTables({ database }: TestApp): Promise<string> {
  const tables = await database.db.introspection.getTables()
  const names = tables.map(({ name }) => name).filter((name) => !name.startsWith('register_'))
  if (!names.includes('accounts')) throw new Error('No tables of ours were found.')
  const rows: unknown[] = []
  for (const name of names) {
    const all = sql<Record<string, unknown>>`select * from ${sql.table(name)}`
    rows.push(name, (await all.execute(database.db)).rows)
  }
  return JSON.stringify(rows)
}

/** What was recorded about these actions, oldest first. */
export function readAudit({ database }: Pick<TestApp, 'database'>, ...actions: string[]) {
  return database.db
    .selectFrom('audit')
    .select(['action', 'outcome', 'actor_kind', 'actor_id', 'entity', 'details'])
    .where('action', 'in', actions)
    .orderBy('no')
    .execute()
}
