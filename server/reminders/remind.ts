import { DEFAULT_REMINDERS } from '#contract/reminders.ts'
import { DAY_MS } from '#contract/time.ts'
import { type Services, systemContext, type Tx } from '#server/context.ts'
import { dueAt, dueStarts, isUseful, KINDS, type ReminderKind } from './rules.ts'
import { insertReminders, listUnreminded, listUnremindedOf, type Unreminded } from './store.ts'

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
    // oxlint-disable-next-line no-await-in-loop
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
      // oxlint-disable-next-line no-await-in-loop
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
    // oxlint-disable-next-line no-await-in-loop
    await remindKind(services, kind, signal)
  }
}
