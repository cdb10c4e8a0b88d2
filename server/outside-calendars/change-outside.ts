import type { ChangeOutsideCalendarInput, OutsideCalendar } from '#contract/outside-calendars.ts'
import { toFlag } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'
import type { OutsideCalendarRow } from '#db/tables/outside-calendars.ts'
import { lockBusy } from '#server/availability/hours/busy-times.ts'
import { getOwner } from '#server/availability/hours/read-mine.ts'
import type { Context, Tx } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import {
  askGiven,
  countReading,
  type Given,
  NOTHING_READ,
  type Owner,
  pickOwn,
  readAddress,
  readAgain,
  shown,
} from './own-calendars.ts'
import { note, type Outcome } from './read-calendars.ts'
import { nextReadAt } from './rules.ts'
import { sealAddress } from './seal-address.ts'
import { listCalendars, updateCalendar } from './store.ts'

type Elsewhere = Given & { outcome: Outcome }

async function assertUnknown(db: Db, owner: Owner, fingerprint: string): Promise<void> {
  const known = await listCalendars(db, owner.no)
  if (known.some((row) => row.fingerprint === fingerprint)) {
    throw new AppError('outside_calendar_known')
  }
}

/** Reads a new address outside any transaction; null where it is the current one. */
async function askElsewhere(
  ctx: Context,
  owner: Owner,
  { id, address, skipsAllDay }: ChangeOutsideCalendarInput,
): Promise<Elsewhere | null> {
  if (address === undefined) return null
  const { db } = ctx.database
  const { fingerprint: present } = await pickOwn(db, owner.no, id)
  const given = readAddress(ctx, owner, address)
  if (given.fingerprint === present) return null
  await assertUnknown(db, owner, given.fingerprint)
  await countReading(ctx, owner)
  return { ...given, outcome: await askGiven(ctx, owner, { ...given, skipsAllDay }) }
}

type Changing = { row: OutsideCalendarRow; owner: Owner; elsewhere: Elsewhere }

/** Gives a calendar another address, and stores what was read there. */
async function writeAddress(ctx: Context, tx: Tx, { row, owner, elsewhere }: Changing) {
  const { url, fingerprint, outcome } = elsewhere
  const now = ctx.now()
  await assertUnknown(tx.db, owner, fingerprint)
  await updateCalendar(tx.db, row.id, {
    ...NOTHING_READ,
    host: url.host,
    sealed: sealAddress(ctx, row.id, url.href),
    fingerprint,
    next_read_at: nextReadAt(now, ctx.chance()),
    // The old address's failures do not apply to this one; busy times stay until this one is read.
    failing_since: null,
    failure: null,
    told_at: null,
  })
  const hasChanged = await note(tx, row.id, { ...outcome, now })
  if (hasChanged) await tx.outbox.add('provider.changed', { providerId: owner.id })
}

/**
 * Renames a calendar, changes its address or whether all-day events count; the last two read it anew. Throws
 * `outside_calendar_refused` and `outside_calendar_known` as when adding one.
 */
export async function changeOutside(
  ctx: Context,
  input: ChangeOutsideCalendarInput,
): Promise<OutsideCalendar> {
  const { id, name, skipsAllDay } = input
  const owner = await getOwner(ctx, ctx.database.db)
  const elsewhere = await askElsewhere(ctx, owner, input)
  const isToRead = await ctx.transaction(async (tx) => {
    await lockBusy(tx.db, owner.no)
    const row = await pickOwn(tx.db, owner.no, id)
    const differs = (row.skips_all_day === 1) !== skipsAllDay
    const isOther = differs && elsewhere === null
    if (isOther) await tx.attempts.take('outside_read', owner.id)
    await updateCalendar(tx.db, id, {
      name,
      skips_all_day: toFlag(skipsAllDay),
      // The stored times were read with the other setting: read everything again.
      ...(isOther && { etag: null, last_modified: null, next_read_at: ctx.now() }),
    })
    if (elsewhere !== null) await writeAddress(ctx, tx, { row, owner, elsewhere })
    const what = [
      row.name !== name && 'name',
      differs && 'all-day',
      elsewhere !== null && 'address',
    ].filter((one) => one !== false)
    await tx.audit.add({
      action: 'outside_calendar.changed',
      entity: id,
      details: { what: what.join(' ') },
    })
    return isOther
  })
  if (isToRead) await readAgain(ctx, owner, id)
  return shown(ctx, owner.no, id)
}
