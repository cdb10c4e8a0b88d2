import type { ChangeOutsideCalendarInput, OutsideCalendar } from '#contract/outside-calendars.ts'
import { toFlag } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'
import type { OutsideCalendarRow } from '#db/tables/outside-calendars.ts'
import { lockBusy } from '#server/availability/hours/busy-times.ts'
import { getOwner } from '#server/availability/hours/read-availability.ts'
import type { Context, Tx } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import {
  countReadAttempt,
  type EnteredAddress,
  fetchNewCalendar,
  getOwnCalendar,
  type Owner,
  parseAddress,
  readOwnCalendar,
  refreshCalendar,
  UNREAD_COLUMNS,
} from './own-calendars.ts'
import { type ReadResult, recordResult } from './read-calendars.ts'
import { nextReadAt } from './rules.ts'
import { sealAddress } from './seal-address.ts'
import { listCalendars, updateCalendar } from './store.ts'

type NewAddress = EnteredAddress & { outcome: ReadResult }

async function assertNewAddress(db: Db, owner: Owner, fingerprint: string): Promise<void> {
  const known = await listCalendars(db, owner.no)
  if (known.some((row) => row.fingerprint === fingerprint)) {
    throw new AppError('outside_calendar_known')
  }
}

/** Reads a new address outside any transaction; null where it is the current one. */
async function fetchNewAddress(
  ctx: Context,
  owner: Owner,
  { id, address, skipsAllDay }: ChangeOutsideCalendarInput,
): Promise<NewAddress | null> {
  if (address === undefined) return null
  const { db } = ctx.database
  const { fingerprint: present } = await getOwnCalendar(db, owner.no, id)
  const entered = parseAddress(ctx, owner, address)
  if (entered.fingerprint === present) return null
  await assertNewAddress(db, owner, entered.fingerprint)
  await countReadAttempt(ctx, owner)
  return { ...entered, outcome: await fetchNewCalendar(ctx, owner, { ...entered, skipsAllDay }) }
}

type AddressChange = { row: OutsideCalendarRow; owner: Owner; newAddress: NewAddress }

/** Gives a calendar another address, and stores what was read there. */
async function writeAddress(ctx: Context, tx: Tx, { row, owner, newAddress }: AddressChange) {
  const { url, fingerprint, outcome } = newAddress
  const now = ctx.now()
  await assertNewAddress(tx.db, owner, fingerprint)
  await updateCalendar(tx.db, row.id, {
    ...UNREAD_COLUMNS,
    host: url.host,
    sealed: sealAddress(ctx, row.id, url.href),
    fingerprint,
    next_read_at: nextReadAt(now, ctx.chance()),
    // The old address's failures do not apply to this one; busy times stay until this one is read.
    failing_since: null,
    failure: null,
    told_at: null,
  })
  const hasChanged = await recordResult(tx, row.id, { ...outcome, now })
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
  const newAddress = await fetchNewAddress(ctx, owner, input)
  const isToRead = await ctx.transaction(async (tx) => {
    await lockBusy(tx.db, owner.no)
    const row = await getOwnCalendar(tx.db, owner.no, id)
    const differs = (row.skips_all_day === 1) !== skipsAllDay
    const isOther = differs && newAddress === null
    if (isOther) await tx.attempts.take('outside_read', owner.id)
    await updateCalendar(tx.db, id, {
      name,
      skips_all_day: toFlag(skipsAllDay),
      // The stored times were read with the other setting: read everything again.
      ...(isOther && { etag: null, last_modified: null, next_read_at: ctx.now() }),
    })
    if (newAddress !== null) await writeAddress(ctx, tx, { row, owner, newAddress })
    const what = [
      row.name !== name && 'name',
      differs && 'all-day',
      newAddress !== null && 'address',
    ].filter((one) => one !== false)
    await tx.audit.add({
      action: 'outside_calendar.changed',
      entity: id,
      details: { what: what.join(' ') },
    })
    return isOther
  })
  if (isToRead) await refreshCalendar(ctx, owner, id)
  return readOwnCalendar(ctx, owner.no, id)
}
