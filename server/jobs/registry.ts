import { deleteUsedTokens } from '#server/auth/codes/create-link.ts'
import { extendSlots, withdrawSlots } from '#server/availability/slots/extend-slots.ts'
import { resealBankAccounts } from '#server/bank-accounts/seal-numbers.ts'
import { completeDeskVisits } from '#server/booking/desk/change-desk.ts'
import { purgePurposes } from '#server/booking/visits/erase-patient.ts'
import type { Services } from '#server/context.ts'
import { purgeImages } from '#server/gallery/images.ts'
import { purgeImports } from '#server/imports/import-rows.ts'
import type { Config } from '#server/kernel/config/config.ts'
import { completeVisits, settleNoShows } from '#server/outcomes/outcomes.ts'
import { readOutsideCalendars } from '#server/outside-calendars/read-calendars.ts'
import { processEvents, purgeEvents, reconcile } from '#server/payments/events/process-events.ts'
import { makeSweep, SWEEP_LANES } from '#server/payments/paying/close-payment.ts'
import { GATEWAYS, type Run } from '#server/payments/paying/per-gateway.ts'
import { reconcileGateways } from '#server/payments/reconciliation/reconcile-gateways.ts'
import { runRefunds } from '#server/payments/refunds/run-refunds.ts'
import { purgeConsents } from '#server/profiles/personal-data.ts'
import { remind } from '#server/reminders/reminders.ts'
import { refreshNextFree, refreshNextFreeOf, reindexProviders } from '#server/search/reindex.ts'
import { purgeUnsentDocuments } from '#server/verification/erase-claims.ts'
import { recheckRegistrations } from '#server/verification/register/recheck-registrations.ts'
import { returnLateFees } from '#server/visits/return-late-fees.ts'
import { deleteOldAttempts } from './attempts-store.ts'
import { deleteOldDenials } from './audit-store.ts'
import { deliverLocal, deliverMails } from './deliver-outbox.ts'
import { deleteOldKeys } from './keys-store.ts'
import type { Job } from './loop.ts'
import { deleteOldMails, deleteOldMessages } from './mails-store.ts'
import { logAuditHead, sealAudit } from './seal-audit.ts'
import { deleteDelivered } from './store.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const WEEK = 7 * DAY

/**
 * Measures the replica from every process, because reachability can differ. Only changes are logged, or a
 * night without a standby would fill the log.
 */
export function replicaJob(): Job {
  let wasRead: boolean | null = null

  const run = async ({ database: { replica }, log }: Services) => {
    if (replica === null) return
    const failure = await replica.measure().then(
      () => null,
      (error: unknown) => error,
    )
    const isRead = replica.isFresh()
    if (isRead === wasRead) return
    wasRead = isRead
    if (isRead) log.info('public reads go to the replica')
    else log.warn({ err: failure, lagMs: replica.lagMs() }, 'public reads go to the primary')
  }

  return { name: 'measure-replica', everyMs: SECOND, run }
}

async function purgeDelivered({ database, now }: Services): Promise<void> {
  await deleteDelivered(database.db, now() - WEEK)
}

/** How long sent emails are kept, and messages of the contact form. The privacy page says so (decision 058). */
const MAIL_RETENTION_MS = 90 * DAY
const MESSAGE_RETENTION_MS = 365 * DAY

const PURGE_BATCH = 500

function purgeMails({ background, database, now }: Services, signal: AbortSignal): Promise<void> {
  const old = { before: now() - MAIL_RETENTION_MS, limit: PURGE_BATCH }
  return background.drain(PURGE_BATCH, () => deleteOldMails(database.db, old), signal)
}

function purgeMessages(services: Services, signal: AbortSignal): Promise<void> {
  const { background, database, now } = services
  const old = { before: now() - MESSAGE_RETENTION_MS, limit: PURGE_BATCH }
  return background.drain(PURGE_BATCH, () => deleteOldMessages(database.db, old), signal)
}

async function purgeAttempts({ database, now }: Services): Promise<void> {
  await deleteOldAttempts(database.db, now())
}

async function purgeKeys({ database, now }: Services): Promise<void> {
  await deleteOldKeys(database.db, now())
}

/** A month, in minutes. */
const DENIAL_RETENTION_MINUTES = 30 * 24 * 60

async function purgeDenials({ database, now }: Services): Promise<void> {
  await deleteOldDenials(database.db, Math.floor(now() / MINUTE) - DENIAL_RETENTION_MINUTES)
}

/** Runs in each time zone's night: a provider is due once a day. */
function extendCalendars(services: Services, signal: AbortSignal): Promise<void> {
  return extendSlots(services, refreshNextFreeOf, signal)
}

function withdrawTimes(services: Services, signal: AbortSignal): Promise<void> {
  return withdrawSlots(services, refreshNextFreeOf, signal)
}

/** Only a demo generates free times, so the module is loaded only there. */
async function topUpDemoSlots({ database, now }: Services): Promise<void> {
  const { topUpDemo } = await import('#demo/practice/slots.ts')
  await topUpDemo(database, { now: now(), reindex: reindexProviders })
}

type GatewayJob = Omit<Job, 'run'> & { run: (services: Services, run: Run) => Promise<void> }

/** One job per gateway, so that a gateway that hangs never delays the other. */
function jobPerGateway({ name, everyMs, run }: GatewayJob): Job[] {
  return GATEWAYS.map((gateway) => ({
    name: `${name}:${gateway}`,
    everyMs,
    run: (services, signal) => run(services, { gateway, signal }),
  }))
}

/** Jobs of a few statements that may affect many rows: run one after the other, with rests. */
function inBackground(jobs: readonly Job[]): Job[] {
  return jobs.map((job) => ({
    ...job,
    run: (services, signal) => services.background.run(() => job.run(services, signal), signal),
  }))
}

/** Jobs woken by a commit that added to the outbox. */
export const OUTBOX_JOBS = ['outbox-mails', 'outbox-own-work'] as const

/** The jobs of a process, each with its own interval. */
export function jobsFor(config: Config): Job[] {
  const own = config.databaseReadUrl === null ? [] : [replicaJob()]
  if (config.role === 'web') return own
  const jobs: Job[] = [
    ...own,
    // Woken by commits in this process; the interval is for retries and other processes.
    { name: 'outbox-mails', everyMs: 2 * SECOND, run: deliverMails },
    { name: 'outbox-own-work', everyMs: 2 * SECOND, run: deliverLocal },
    { name: 'seal-audit', everyMs: 2 * SECOND, run: sealAudit },
    { name: 'log-audit-head', everyMs: HOUR, run: logAuditHead },
    ...jobPerGateway({ name: 'process-events', everyMs: SECOND, run: processEvents }),
    ...SWEEP_LANES.map((lane) => ({
      name: `sweep-holds:${lane ?? 'unpaid'}`,
      everyMs: 15 * SECOND,
      run: makeSweep(lane),
    })),
    ...jobPerGateway({ name: 'reconcile', everyMs: MINUTE, run: reconcile }),
    // Works once a day, and again an hour later if a gateway was unavailable.
    { name: 'compare-books', everyMs: HOUR, run: reconcileGateways },
    ...jobPerGateway({ name: 'run-refunds', everyMs: 10 * SECOND, run: runRefunds }),
    { name: 'extend-slots', everyMs: 10 * MINUTE, run: extendCalendars },
    { name: 'withdraw-slots', everyMs: MINUTE, run: withdrawTimes },
    { name: 'refresh-next-free', everyMs: MINUTE, run: refreshNextFree },
    { name: 'settle-no-shows', everyMs: HOUR, run: settleNoShows },
    { name: 'return-late-fees', everyMs: 10 * MINUTE, run: returnLateFees },
    { name: 'complete-visits', everyMs: 5 * MINUTE, run: completeVisits },
    { name: 'complete-desk-visits', everyMs: 5 * MINUTE, run: completeDeskVisits },
    { name: 'remind', everyMs: MINUTE, run: remind },
    { name: 'read-outside-calendars', everyMs: MINUTE, run: readOutsideCalendars },
    ...inBackground([
      { name: 'forget-events', everyMs: HOUR, run: purgeEvents },
      { name: 'forget-delivered', everyMs: HOUR, run: purgeDelivered },
      { name: 'forget-attempts', everyMs: HOUR, run: purgeAttempts },
      { name: 'forget-denials', everyMs: HOUR, run: purgeDenials },
      { name: 'forget-consents', everyMs: HOUR, run: purgeConsents },
      { name: 'forget-imports', everyMs: HOUR, run: purgeImports },
      { name: 'forget-keys', everyMs: HOUR, run: purgeKeys },
      { name: 'forget-purposes', everyMs: HOUR, run: purgePurposes },
      { name: 'forget-images', everyMs: HOUR, run: purgeImages },
      { name: 'forget-documents', everyMs: HOUR, run: purgeUnsentDocuments },
      { name: 'delete-used-tokens', everyMs: HOUR, run: deleteUsedTokens },
    ]),
    { name: 'forget-mails', everyMs: HOUR, run: purgeMails },
    { name: 'forget-messages', everyMs: HOUR, run: purgeMessages },
    // Each provider is due once a night; external registers are queried slowly, run by run.
    { name: 'recheck-standings', everyMs: MINUTE, run: recheckRegistrations },
    { name: 'reseal-bank-accounts', everyMs: HOUR, run: resealBankAccounts },
  ]
  if (config.demo) jobs.push({ name: 'top-up-demo-slots', everyMs: HOUR, run: topUpDemoSlots })
  return jobs
}
