import type { ChangeResponse, SaveHoursInput, VisitOutside } from '#contract/availability.ts'
import { fullName } from '#contract/base/person-names.ts'
import { dateOfDay, toIso } from '#contract/base/time.ts'
import { deskKindLabels } from '#contract/booking-desk.ts'
import { type Instant, toFlag } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'
import { regenerateSlots } from '#server/availability/slots/extend-slots.ts'
import { deleteFreeSlotsAt } from '#server/availability/slots/slots-store.ts'
import { type AsProvider, lockOwnAccount, type Tx } from '#server/context.ts'
import type { AuditEvent } from '#server/kernel/audit.ts'
import { AppError } from '#server/kernel/errors.ts'
import { isInTimeOff, isWithinHours, type Rules } from './hours-rules.ts'
import { applyDraft } from './input-rules.ts'
import {
  getOwner,
  getOwnSchedule,
  loadAvailability,
  type OwnSchedule,
} from './read-availability.ts'
import {
  deleteRules,
  insertSchedule,
  listUpcomingDesk,
  listUpcomingVisits,
  lockProviders,
  replaceHours,
  updateSchedule,
} from './schedule-store.ts'

/** Replaces all weekly hours and settings. */
export function saveHours(ctx: AsProvider, input: SaveHoursInput): Promise<ChangeResponse> {
  return changeRules(ctx, {
    input,
    audit: { action: 'availability.hours_saved', details: { ranges: input.hours.length } },
    plan: (mine) => {
      const after = applyDraft(mine, input)
      return {
        after,
        write: async (db, { owner }) => {
          await updateSchedule(db, owner.no, {
            notice_minutes: after.noticeMinutes,
            horizon_days: after.horizonDays,
            buffer_minutes: after.bufferMinutes,
            closed_on_holidays: toFlag(after.closedOnHolidays),
            rotation_weeks: after.rotationWeeks,
            rotation_from: input.settings.rotation.from,
          })
          await replaceHours(
            db,
            owner.no,
            after.hours.map(({ placeNo, week, weekday, from, to }) => ({
              provider_no: owner.no,
              place_no: placeNo,
              week,
              weekday,
              from_minute: from,
              to_minute: to,
            })),
          )
        },
      }
    },
  })
}

/** The rules after a change, and how to write it. */
export type PlannedChange = {
  after: Rules
  write: (db: Db, mine: OwnSchedule) => Promise<void>
}

type Change = {
  input: { version: number; confirmed?: readonly string[] | undefined }
  audit: Pick<AuditEvent, 'action' | 'details'>
  /** Throws for invalid input; nothing is written yet. */
  plan(mine: OwnSchedule): PlannedChange
}

async function createSchedule(
  db: Db,
  { owner, rules, today }: OwnSchedule,
  now: Instant,
): Promise<void> {
  await insertSchedule(db, {
    provider_no: owner.no,
    rotation_from: dateOfDay(rules.rotationFrom),
    notice_minutes: rules.noticeMinutes,
    horizon_days: rules.horizonDays,
    buffer_minutes: rules.bufferMinutes,
    closed_on_holidays: rules.closedOnHolidays ? 1 : 0,
    rotation_weeks: rules.rotationWeeks,
    generated_to: dateOfDay(today),
    extend_at: now,
    withdraw_at: now,
    version: 0,
    updated_at: now,
  })
}

/**
 * Changes the viewer's rules and slots in one transaction. Throws `changed_meanwhile` when the rules have
 * changed since they were read. Saves nothing while the change would leave an unconfirmed visit outside.
 */
export async function changeRules(ctx: AsProvider, change: Change): Promise<ChangeResponse> {
  return ctx.transaction((tx) => applyChange(ctx, tx, change))
}

async function applyChange(ctx: AsProvider, tx: Tx, change: Change): Promise<ChangeResponse> {
  const { db } = tx
  const now = ctx.now()
  await lockOwnAccount(ctx, tx)
  const owner = await getOwner(ctx, db)
  await lockProviders(db, [owner.no])
  const mine = await getOwnSchedule(db, owner, now)
  if (change.input.version !== mine.version) throw new AppError('changed_meanwhile')
  const { after, write } = change.plan(mine)
  const affected = { providerNo: owner.no, before: mine.rules, after }
  const conflicts = await listConflicts(db, affected, now)
  const confirmed = new Set(change.input.confirmed)
  if (conflicts.some(({ id }) => !confirmed.has(id))) {
    return { saved: false, conflicts, mine: await loadAvailability(db, mine) }
  }
  if (mine.version === 0) await createSchedule(db, mine, now)
  await write(db, mine)
  await updateSchedule(db, owner.no, { version: mine.version + 1, updated_at: now })
  await regenerateSlots(db, owner.no, now)
  await tx.outbox.add('provider.changed', { providerId: owner.id })
  await tx.audit.add({
    action: change.audit.action,
    entity: owner.id,
    details: { ...change.audit.details, kept: conflicts.length },
  })
  const saved = await getOwnSchedule(db, owner, now)
  return { saved: true, conflicts, mine: await loadAvailability(db, saved) }
}

/** Deletes all hours, dates and absences of a provider whose account is erased; no more slots are made. */
export async function eraseRules(db: Db, providerNo: number): Promise<void> {
  await deleteRules(db, providerNo, null)
}

type Place = { providerNo: number; placeNo: number }

/**
 * Deletes the rules of a place that is removed, and withdraws its free times. Visits booked there stay. Runs in the
 * caller's transaction; the caller updates the search.
 */
export async function deletePlaceRules(
  db: Db,
  { providerNo, placeNo }: Place,
  now: Instant,
): Promise<void> {
  await deleteRules(db, providerNo, placeNo)
  await deleteFreeSlotsAt(db, providerNo, placeNo)
  await regenerateSlots(db, providerNo, now)
}

/** Booked visits of a provider and those added at the desk that have not ended, earliest first. */
export async function listUpcoming(db: Db, providerNo: number, now: Instant) {
  const booked = (await listUpcomingVisits(db, providerNo, now)).map((row) => ({
    ...row,
    patient: fullName(row.first_name, row.last_name),
  }))
  const desk = (await listUpcomingDesk(db, providerNo, now)).map((row) => ({
    ...row,
    patient: `${deskKindLabels[row.kind]} patient`,
  }))
  return [...booked, ...desk].toSorted((one, other) => one.start_at - other.start_at)
}

type VisitTime = { place_no: number; start_at: Instant; end_at: Instant; time_zone: string }

/** Whether a change of the rules puts a visit outside the hours, or into time off. */
export function leavesRules(row: VisitTime, { before, after }: Omit<RulesChange, 'providerNo'>) {
  const visit = { placeNo: row.place_no, start: row.start_at, end: row.end_at }
  const leavesHours = isWithinHours(before, visit) && !isWithinHours(after, visit)
  const there = { ...visit, timeZone: row.time_zone }
  return leavesHours || (isInTimeOff(after, there) && !isInTimeOff(before, there))
}

type RulesChange = { providerNo: number; before: Rules; after: Rules }

/**
 * Upcoming visits that would fall outside the rules, or into an absence or a block, because of a change;
 * earliest first. Visits that were already outside are not reported again.
 */
export async function listConflicts(
  db: Db,
  { providerNo, before, after }: RulesChange,
  now: Instant,
): Promise<VisitOutside[]> {
  return (await listUpcoming(db, providerNo, now))
    .filter((row) => leavesRules(row, { before, after }))
    .map((row) => ({
      id: row.id,
      patient: row.patient,
      startsAt: toIso(row.start_at),
      endsAt: toIso(row.end_at),
      timeZone: row.time_zone,
      placeId: row.place_id,
    }))
}
