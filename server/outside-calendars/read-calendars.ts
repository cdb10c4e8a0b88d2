import {
  OUTSIDE_NOTIFY_HOURS,
  OUTSIDE_POLL_MINUTES,
  OutsideFailure,
  outsideFailureMessages,
} from '#contract/outside-calendars.ts'
import type { Instant } from '#db/columns.ts'
import type { OutsideCalendarRow } from '#db/tables/calendars.ts'
import {
  type BusyView,
  busyView,
  lockBusy,
  replaceCalendarBusy,
} from '#server/availability/hours/busy-times.ts'
import { type Context, type Services, systemContext, type Tx } from '#server/context.ts'
import type { OutsideReading } from '#server/gateways/outside-calendars.ts'
import { OutsideError } from '#server/kernel/outside-address.ts'
import { sendEmail } from '#server/messages/send-email.ts'
import type { EmailContent } from '#server/messages/templates.ts'
import {
  claimForReading,
  type DueCalendar,
  findCalendar,
  findWithOwner,
  listDue,
  listOwnVisits,
  updateCalendar,
} from './store.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** When to read a calendar next, with jitter. `chance` is from 0 to 1, exclusive. */
export function nextReadAt(now: Instant, chance: number): Instant {
  return now + Math.round((OUTSIDE_POLL_MINUTES - 0.5 + chance) * MINUTE_MS)
}

/** Whether to email the owner of a failing calendar now: once, after a day. */
function mustNotify(
  row: { failing_since: Instant | null; told_at: Instant | null },
  now: Instant,
): boolean {
  if (row.failing_since === null || row.told_at !== null) return false
  return now - row.failing_since >= OUTSIDE_NOTIFY_HOURS * HOUR_MS
}

/** Parses a stored failure. */
export function parseFailure(stored: string | null): OutsideFailure | null {
  return stored === null ? null : OutsideFailure.parse(stored)
}

/** The result of a reading: busy times, not modified, or a failure. */
export type ReadResult = {
  reading: OutsideReading | OutsideFailure
  view: BusyView
  skipsAllDay: boolean
  /** That of the address that was read. */
  fingerprint: string
}

const NO_VALIDATORS = { etag: null, lastModified: null }

type FetchRequest = Pick<
  OutsideCalendarRow,
  'etag' | 'last_modified' | 'covered_to' | 'provider_no' | 'fingerprint'
> & { address: string; skipsAllDay: boolean }

/** Reads a calendar outside any transaction: its server may take ten seconds. */
export async function fetchCalendar(
  services: Services,
  request: FetchRequest,
): Promise<ReadResult> {
  const { database, now, outsideCalendars } = services
  const { address, skipsAllDay, fingerprint } = request
  const view = await busyView(database.db, request.provider_no, now())
  // A "not modified" response says nothing about days that were not requested before.
  const isCovered = request.covered_to >= view.coveredTo
  const known = isCovered
    ? { etag: request.etag, lastModified: request.last_modified }
    : NO_VALIDATORS
  try {
    const reading = await outsideCalendars.read(address, known, { ...view, skipsAllDay })
    return { reading, view, skipsAllDay, fingerprint }
  } catch (error) {
    if (!(error instanceof OutsideError)) throw error
    return { reading: error.failure, view, skipsAllDay, fingerprint }
  }
}

async function recordFailure(
  tx: Tx,
  row: OutsideCalendarRow,
  { failure, now }: { failure: OutsideFailure; now: Instant },
): Promise<void> {
  const failing = { failing_since: row.failing_since ?? now, told_at: row.told_at }
  const isNotified = mustNotify(failing, now)
  await updateCalendar(tx.db, row.id, {
    failure,
    failing_since: failing.failing_since,
    ...(isNotified && { told_at: now }),
  })
  if (isNotified) await tx.outbox.add('outside.failing', { calendarId: row.id })
}

/** Returns whether slots may have changed. */
async function recordReading(
  tx: Tx,
  row: OutsideCalendarRow,
  { reading, view, now }: { reading: OutsideReading; view: BusyView; now: Instant },
): Promise<boolean> {
  const well = { read_at: now, failing_since: null, failure: null, told_at: null }
  if (reading.kind === 'unchanged') {
    await updateCalendar(tx.db, row.id, well)
    return false
  }
  const { spans, own, unreadable, etag, lastModified } = reading
  // Entries from our own feeds count only when the provider is another provider's patient.
  const ids = [...new Set(own.map(({ id }) => id))]
  const mine = await listOwnVisits(tx.db, row.provider_no, ids)
  const all = [...spans, ...own.filter(({ id }) => !mine.has(id))]
  await updateCalendar(tx.db, row.id, {
    ...well,
    etag,
    last_modified: lastModified,
    covered_to: view.coveredTo,
    unreadable,
  })
  return replaceCalendarBusy(
    tx.db,
    { providerNo: row.provider_no, calendarId: row.id },
    {
      spans: all.map(({ start, end }) => ({ start, end })).toSorted((a, b) => a.start - b.start),
      now,
    },
  )
}

/**
 * Stores the result of a reading. A failure keeps the stored times; a calendar that was removed or changed
 * meanwhile is left alone. Returns whether slots may have changed.
 */
export async function recordResult(tx: Tx, id: string, result: ReadResult & { now: Instant }) {
  const { reading, skipsAllDay, fingerprint, view, now } = result
  const before = await findCalendar(tx.db, id)
  if (before === undefined) return false
  // Lock order: the provider first; the calendar read below then cannot change.
  await lockBusy(tx.db, before.provider_no)
  const row = await findCalendar(tx.db, id)
  if (row === undefined || (row.skips_all_day === 1) !== skipsAllDay) return false
  if (row.fingerprint !== fingerprint) return false
  if (typeof reading !== 'string') return recordReading(tx, row, { reading, view, now })
  await recordFailure(tx, row, { failure: reading, now })
  return false
}

/** Reads one calendar and stores the result. */
export async function readCalendar(
  ctx: Context,
  row: OutsideCalendarRow,
  providerId: string,
): Promise<void> {
  const outcome = await fetchCalendar(ctx, {
    ...row,
    address: openAddress(ctx, row),
    skipsAllDay: row.skips_all_day === 1,
  })
  await ctx.transaction(async (tx) => {
    const hasChanged = await recordResult(tx, row.id, { ...outcome, now: ctx.now() })
    if (hasChanged) await tx.outbox.add('provider.changed', { providerId })
  })
}

/** Calendars read concurrently; most of the time is spent waiting for other servers. */
const CONCURRENCY = 6

async function readDue(ctx: Context, row: DueCalendar): Promise<void> {
  const { database, log, now } = ctx
  if (!(await claimForReading(database.db, row, nextReadAt(now(), ctx.chance())))) return
  const { provider_id: providerId, ...calendar } = row
  try {
    await readCalendar(ctx, calendar, providerId)
  } catch (error) {
    // A calendar that fails, such as one whose key is gone, does not hold up the others.
    log.error({ err: error, outsideCalendarId: row.id }, 'an outside calendar was not read')
  }
}

/** Reads every outside calendar that is due. Safe to run in several processes at once. */
export async function readOutsideCalendars(
  services: Services,
  signal?: AbortSignal,
): Promise<void> {
  const ctx = systemContext(services, 'read-outside-calendars')
  const seen = new Set<string>()
  for (;;) {
    const due = await listDue(services.database.db, services.now(), CONCURRENCY + seen.size)
    const fresh = due.filter(({ id }) => !seen.has(id)).slice(0, CONCURRENCY)
    if (fresh.length === 0 || signal?.aborted === true) return
    for (const { id } of fresh) seen.add(id)
    await Promise.all(fresh.map((row) => readDue(ctx, row)))
  }
}

type Encrypting = Pick<Services, 'secrets'>

/** Encrypts the address of a calendar for its row: it cannot be decrypted in another one. */
export function sealAddress({ secrets }: Encrypting, id: string, address: string): string {
  return secrets.seal('outside', `${id} ${address}`)
}

/** Decrypts the address of a calendar; throws when it was encrypted for another row. */
function openAddress(
  { secrets }: Encrypting,
  { id, sealed }: { id: string; sealed: string },
): string {
  const text = secrets.open('outside', sealed)
  if (!text.startsWith(`${id} `)) throw new Error('This address was sealed for another calendar.')
  return text.slice(id.length + 1)
}

/**
 * Keyed hash that identifies an address among a provider's own; the same address of another provider has
 * another hash.
 */
export function fingerprintOf(
  { secrets }: Encrypting,
  providerId: string,
  address: string,
): string {
  return secrets.mac('outside', `${providerId} ${address}`)
}

/** Emails a provider that one of their calendars fails, unless it was removed or can be read again. */
export async function deliverFailing(
  services: Services,
  job: { calendarId: string; deliveryId: string },
): Promise<void> {
  const { config, database } = services
  const found = await findWithOwner(database.db, job.calendarId)
  const failure = parseFailure(found?.failure ?? null)
  if (found === undefined || failure === null) return
  await sendEmail(services, {
    deliveryId: job.deliveryId,
    to: found.email,
    userId: found.user_id,
    secrets: [],
    content: failingEmail({
      firstName: found.first_name,
      name: found.name,
      why: outsideFailureMessages[failure],
      site: config.publicUrl,
    }),
  })
}

type FailingFacts = {
  firstName: string
  name: string
  /** The failure, in a sentence. */
  why: string
  site: string
}

/** Email to a provider that an outside calendar has not been readable for a day. */
function failingEmail({ firstName, name, why, site }: FailingFacts): EmailContent {
  return {
    heading: 'We can’t read one of your calendars',
    blocks: [
      {
        kind: 'paragraph',
        text: `Hello ${firstName},\nWe haven’t been able to read one of your other calendars for a day. Times we knew to be busy stay blocked, but patients may book times you have filled since.`,
      },
      {
        kind: 'facts',
        rows: [
          ['Calendar', name],
          ['Problem', why],
        ],
      },
      {
        kind: 'link',
        label: 'See your other calendars',
        url: `${site}/doctor/availability/calendars`,
      },
      { kind: 'small', text: 'We’ll keep trying, and won’t email you about this again.' },
    ],
  }
}
