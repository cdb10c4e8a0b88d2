import type { Done } from '#contract/base/done.ts'
import { dateFormat } from '#contract/base/intl.ts'
import { regionFacts } from '#contract/base/region.ts'
import { DAY_MS } from '#contract/base/time.ts'
import type { Visit } from '#contract/booking.ts'
import {
  DEFAULT_REMINDERS,
  EARLIEST_HOURS,
  LATEST_HOURS,
  type ReminderSettings,
  type SaveRemindersInput,
  UNSUBSCRIBE_PATH,
  type UnsubscribeInput,
} from '#contract/reminders.ts'
import { toFlag } from '#db/columns.ts'
import type { ReminderSettingsRow } from '#db/tables/booking.ts'
import { clinicTime, visitLink } from '#server/booking/templates.ts'
import { readVisitIn, visitMac, visitUrl } from '#server/booking/visits/read-visit.ts'
import {
  type Context,
  lockOwnAccount,
  type Services,
  type SignedIn,
  systemContext,
  type Tx,
} from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import type { OutboxJob } from '#server/kernel/outbox-topics.ts'
import { isSameSecret } from '#server/kernel/security/secrets.ts'
import { sendEmail } from '#server/messages/send-email.ts'
import type { EmailContent, OwnBlock } from '#server/messages/templates.ts'
import { dueAt, dueStarts, isUseful, KINDS, type ReminderKind } from './rules.ts'
import {
  type BatchRow,
  deleteSettings,
  findOwner,
  findSettings,
  insertReminders,
  listBatch,
  listUnreminded,
  listUnremindedOf,
  saveSettings,
  turnOffReminders,
  type Unreminded,
} from './store.ts'

/** Visits in one page. */
const PAGE = 500

function dueOf(kind: ReminderKind, row: Unreminded): number | null {
  return dueAt(kind, {
    startAt: row.start_at,
    timeZone: row.time_zone,
    agreedAt: row.changed_at ?? row.confirmed_at ?? row.created_at,
    hours: {
      fromHour: row.from_hour ?? DEFAULT_REMINDERS.fromHour,
      toHour: row.to_hour ?? DEFAULT_REMINDERS.toHour,
    },
  })
}

/** The due time of a visit's reminder if it is still useful at an instant; null otherwise. */
function usefulDue(kind: ReminderKind, row: Unreminded, now: number): number | null {
  const due = dueOf(kind, row)
  if (due === null) return null
  return isUseful({ kind, startAt: row.start_at, dueAt: due }, now) ? due : null
}

function isDue(kind: ReminderKind, row: Unreminded, now: number): boolean {
  const due = usefulDue(kind, row, now)
  return due !== null && due <= now
}

type Day = { kind: ReminderKind; patientNo: number; from: number }

/** One email for all visits of a day: later ones are included with the first. */
async function writeReminders(
  services: Services,
  tx: Tx,
  { kind, patientNo, from }: Day,
): Promise<void> {
  const now = services.now()
  const visits = await listUnremindedOf(tx.db, kind, { patientNo, from, to: from + DAY_MS })
  const batch = services.newId('rmd')
  const rows = visits.flatMap((visit) => {
    const due = usefulDue(kind, visit, now)
    if (due === null) return []
    const key = { booking_no: visit.no, kind, start_at: visit.start_at }
    return [{ ...key, due_at: due, batch, created_at: now }]
  })
  // Another process may have written them: only the one that inserts rows enqueues the email.
  if ((await insertReminders(tx.db, rows)) > 0) await tx.outbox.add('reminder.due', { batch })
}

async function remindKind(
  services: Services,
  kind: ReminderKind,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { database, now, background } = services
  const ctx = systemContext(services, 'remind')
  let after: Unreminded | null = null
  for (;;) {
    if (signal?.aborted) return
    // Each page begins where the previous one ended.
    const list = () =>
      listUnreminded(database.db, kind, { ...dueStarts(kind, now()), after, limit: PAGE })
    const page: Unreminded[] = await background.run(list, signal)
    const days = new Map<string, Day>()
    for (const row of page) {
      if (!isDue(kind, row, now())) continue
      const from = Math.floor(row.wall_at / DAY_MS) * DAY_MS
      days.set(`${row.patient_no} ${from}`, { kind, patientNo: row.patient_no, from })
    }
    for (const day of days.values()) {
      // Sequential, in short transactions.
      await background.run(() => ctx.transaction((tx) => writeReminders(services, tx, day)), signal)
    }
    const last = page.at(-1)
    if (last === undefined || page.length < PAGE) return
    after = last
  }
}

/**
 * Writes the reminders that are due, once per visit, kind and start, and enqueues their emails. Safe to run
 * in several processes at once.
 */
export async function remind(services: Services, signal?: AbortSignal): Promise<void> {
  for (const kind of KINDS) {
    await remindKind(services, kind, signal)
  }
}

/**
 * Whether a reminder is still valid: the visit, account or settings may have changed since it was enqueued.
 */
function isStillValid(row: BatchRow, now: number): boolean {
  if (row.erased_at !== null || row.state !== 'confirmed') return false
  if (row.start_at !== row.told_start || row.start_at <= now) return false
  if ((row[row.kind] ?? 1) === 0) return false
  return isUseful({ kind: row.kind, startAt: row.start_at, dueAt: row.due_at }, now)
}

/**
 * Emails a patient about the visits of one day, as far as they still take place and reminders are still
 * wanted; sends nothing when none is left.
 */
export async function deliverReminder(
  services: Services,
  job: OutboxJob<'reminder.due'>,
): Promise<void> {
  const { config, database, now } = services
  const rows = (await listBatch(database.db, job.batch)).filter((row) => isStillValid(row, now()))
  const [first] = rows
  if (first === undefined) return
  const linkOf = (row: BatchRow) => {
    return { visitId: row.booking_id, userId: row.user_id, email: row.email }
  }
  const found = await Promise.all(
    rows.map(async (row) => {
      const visit = await readVisitIn(database.db, row.booking_id, now())
      return visit === null ? null : { ...visit, url: visitUrl(services, linkOf(row)) }
    }),
  )
  const visits = found.filter((visit): visit is LinkedVisit => visit !== null)
  const macs = rows.map((row) => visitMac(services, linkOf(row)))
  const owner = { id: first.user_id, email: first.email }
  await sendEmail(services, {
    topic: 'reminder.due',
    deliveryId: job.deliveryId,
    to: first.email,
    userId: first.user_id,
    secrets: [unsubscribeToken(services, owner), ...macs],
    unsubscribe: unsubscribeUrl(services, owner),
    content: reminderEmail(visits, {
      firstName: first.first_name,
      isDiscreet: first.discreet === 1,
      turnOffUrl: unsubscribeUrl(services, owner),
      site: config.publicUrl,
      supportEmail: config.supportEmail,
    }),
  })
}

/** A visit, and the URL that shows it without signing in. */
type LinkedVisit = Visit & { url: string }

type ReminderFacts = {
  firstName: string
  /** Keeps the provider's name out of the subject. */
  isDiscreet: boolean
  /** URL that turns reminders off. */
  turnOffUrl: string
  site: string
  supportEmail: string
}

function instantOf({ startsAt }: Visit): number {
  return Temporal.Instant.from(startsAt).epochMilliseconds
}

/** "Tuesday 3 March" in the clinic's time zone. */
function dayText(visit: Visit): string {
  const { timeZone, region } = visit
  const day = dateFormat(regionFacts[region].locale, {
    timeZone,
    weekday: 'long',
    day: 'numeric',
    month: 'long',
  }).format(instantOf(visit))
  return region === 'uk' ? day.replace(',', '') : day
}

function factsOf(visit: Visit): OwnBlock {
  const { provider, place, region, timeZone, mode } = visit
  const where =
    mode === 'video'
      ? 'Video visit: join it from your visits, from 15 minutes before'
      : [place.name, place.address, place.postcode].filter(Boolean).join(', ')
  return {
    kind: 'facts',
    rows: [
      ['When', clinicTime(instantOf(visit), { region, time_zone: timeZone })],
      ['Who', provider.name],
      ['Where', where],
      ...(provider.phone === null
        ? []
        : [['Practice phone', provider.phone] satisfies [string, string]]),
      ['Reference', visit.reference],
    ],
  }
}

/** Reminder of the visits of one day, at least one; leaves out their purpose. */
function reminderEmail(visits: readonly LinkedVisit[], facts: ReminderFacts): EmailContent {
  const { firstName, isDiscreet, turnOffUrl, site, supportEmail } = facts
  const [first] = visits
  if (first === undefined) throw new Error('A reminder needs at least one visit.')
  const day = dayText(first)
  const isOne = visits.length === 1
  const what = isOne ? 'your visit' : `your ${visits.length} visits`
  const heading = isOne
    ? `Reminder: your visit to ${first.provider.name} on ${day}`
    : `Reminder: ${what} on ${day}`
  return {
    heading,
    ...(isDiscreet && { subject: `Reminder: ${what} on ${day}` }),
    preview: clinicTime(instantOf(first), { region: first.region, time_zone: first.timeZone }),
    blocks: [
      {
        kind: 'paragraph',
        text: `Hello ${firstName},\nThis is a reminder of ${what} on ${day}. Times are in local time at the practice.`,
      },
      ...visits.flatMap((visit) => [factsOf(visit), visitLink(visit.url, isOne ? 'link' : 'more')]),
      {
        kind: 'small',
        text: `You don’t need to sign in for that, so don’t pass this email on. If something isn’t right, write to ${supportEmail}.`,
      },
      {
        kind: 'small',
        text: `Choose which reminders you get in your account: ${site}/userProfile?section=reminders\nTurn them off without signing in: ${turnOffUrl}`,
      },
    ],
  }
}

type Owner = { id: string; email: string }

/**
 * Names an account and proves that its owner received it by email. It is not stored, and becomes invalid when
 * the address changes.
 */
function unsubscribeToken({ secrets }: Pick<Services, 'secrets'>, owner: Owner): string {
  return `${owner.id}.${secrets.mac('unsubscribe', `${owner.id} ${owner.email}`)}`
}

/** The URL that turns reminders off: the page asks first; a POST does so at once (RFC 8058). */
export function unsubscribeUrl(
  services: Pick<Services, 'secrets' | 'config'>,
  owner: Owner,
): string {
  return `${services.config.publicUrl}${UNSUBSCRIBE_PATH}/${unsubscribeToken(services, owner)}`
}

/**
 * Turns every reminder off for the bearer of the link; a repeat changes nothing. Throws
 * `unsubscribe_link_invalid` when the token is forged, or the owner's address has changed or the account is
 * gone.
 */
export async function unsubscribe(ctx: Context, { token }: UnsubscribeInput): Promise<Done> {
  const [userId = ''] = token.split('.')
  await ctx.transaction(async (tx) => {
    const owner = await findOwner(tx.db, userId)
    if (owner === undefined || !isSameSecret(token, unsubscribeToken(ctx, owner))) {
      throw new AppError('unsubscribe_link_invalid')
    }
    await turnOffReminders(tx.db, owner.no, ctx.now())
    const actor = { kind: 'patient' as const, id: owner.id }
    await tx.audit.add({ action: 'reminders.unsubscribed', entity: owner.id, actor })
  })
  return { status: true }
}

function settingsOf(row: ReminderSettingsRow): ReminderSettings {
  return {
    week: row.week === 1,
    day: row.day === 1,
    fromHour: EARLIEST_HOURS.find((hour) => hour === row.from_hour) ?? DEFAULT_REMINDERS.fromHour,
    toHour: LATEST_HOURS.find((hour) => hour === row.to_hour) ?? DEFAULT_REMINDERS.toHour,
    discreet: row.discreet === 1,
  }
}

/** The viewer's reminder settings. */
export async function readReminderSettings(ctx: SignedIn): Promise<ReminderSettings> {
  const row = await findSettings(ctx.database.db, ctx.session.accountNo)
  return row === undefined ? DEFAULT_REMINDERS : settingsOf(row)
}

/** Saves the viewer's settings. They also apply to reminders that are already enqueued. */
export async function saveReminderSettings(
  ctx: SignedIn,
  input: SaveRemindersInput,
): Promise<ReminderSettings> {
  const { accountNo, userId } = ctx.session
  await ctx.transaction(async (tx) => {
    await lockOwnAccount(ctx, tx)
    await saveSettings(tx.db, {
      account_no: accountNo,
      week: toFlag(input.week),
      day: toFlag(input.day),
      from_hour: input.fromHour,
      to_hour: input.toHour,
      discreet: toFlag(input.discreet),
      updated_at: ctx.now(),
    })
    const details = { week: Number(input.week), day: Number(input.day) }
    await tx.audit.add({ action: 'reminders.changed', entity: userId, details })
  })
  return readReminderSettings(ctx)
}

/** Deletes the settings of an erased account. */
export async function eraseReminderSettings({ database }: Services, userId: string): Promise<void> {
  await deleteSettings(database.db, userId)
}
