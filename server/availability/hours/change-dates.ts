import type {
  AddAbsenceInput,
  AddBlockInput,
  AddDatesInput,
  ChangeResponse,
  RemoveAbsenceInput,
  RemoveBlockInput,
  RemoveDateInput,
} from '#contract/availability.ts'
import { dateOfDay, dayNumber } from '#contract/base/time.ts'
import { type Instant, toFlag } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'
import { dayAt } from '#server/availability/rules.ts'
import type { AsProvider } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import type { Block, ExtraRange, Rules } from './hours-rules.ts'
import { assertAbsence, assertBlock, assertDateLimit, assertExtras } from './input-rules.ts'
import { type OwnSchedule, placeNoOf } from './read-availability.ts'
import { changeRules, type PlannedChange } from './save-hours.ts'
import {
  deleteRule,
  insertAbsence,
  insertBlock,
  insertExtraDates,
  listAbsences,
} from './schedule-store.ts'

/** The rules without one extra date; one that is not the viewer's is `not_found`. */
function withoutExtra({ rules }: Pick<OwnSchedule, 'rules'>, id: string): Rules {
  const extras = rules.extras.filter((one) => one.id !== id)
  if (extras.length === rules.extras.length) throw new AppError('not_found')
  return { ...rules, extras }
}

function planDates(ctx: AsProvider, mine: OwnSchedule, input: AddDatesInput): PlannedChange {
  const { replaces, dates, from, to, note } = input
  const before = replaces === undefined ? mine.rules : withoutExtra(mine, replaces)
  const placeNo = placeNoOf(mine, input.placeId)
  const added = dates.map((date, at): ExtraRange => {
    const id = (at === 0 ? replaces : undefined) ?? ctx.newId('xdt')
    return { id, placeNo, day: dayNumber(date), from, to }
  })
  assertDateLimit(before, added.length)
  assertExtras(mine, before, added)
  return {
    after: { ...before, extras: [...before.extras, ...added] },
    write: async (db, { owner }) => {
      if (replaces !== undefined)
        await deleteRule(db, 'extra_dates', { providerNo: owner.no, id: replaces })
      await insertExtraDates(
        db,
        added.map(({ id, day }) => ({
          id,
          provider_no: owner.no,
          place_no: placeNo,
          date: dateOfDay(day),
          from_minute: from,
          to_minute: to,
          note,
        })),
      )
    },
  }
}

/** Adds the same hours on one or several days, or changes one such day. */
export function addDates(ctx: AsProvider, input: AddDatesInput): Promise<ChangeResponse> {
  return changeRules(ctx, {
    input,
    audit: { action: 'availability.dates_added', details: { dates: input.dates.length } },
    plan: (mine) => planDates(ctx, mine, input),
  })
}

/** Removes the extra hours of one day. */
export function removeDate(ctx: AsProvider, input: RemoveDateInput): Promise<ChangeResponse> {
  return changeRules(ctx, {
    input,
    audit: { action: 'availability.date_removed' },
    plan: (mine) => ({
      after: withoutExtra(mine, input.id),
      write: async (db, { owner }) => {
        await deleteRule(db, 'extra_dates', { providerNo: owner.no, id: input.id })
      },
    }),
  })
}

/** Removes an absence: the hours of its days are offered again. */
export function removeAbsence(ctx: AsProvider, input: RemoveAbsenceInput): Promise<ChangeResponse> {
  return changeRules(ctx, {
    input,
    audit: { action: 'availability.absence_removed' },
    plan: (mine) => ({
      after: withoutAbsence(mine, input.id),
      write: async (db, { owner }) => {
        await deleteRule(db, 'absences', { providerNo: owner.no, id: input.id })
      },
    }),
  })
}

/** The rules without one absence; one that is not the viewer's is `not_found`. */
function withoutAbsence({ rules }: Pick<OwnSchedule, 'rules'>, id: string): Rules {
  const absences = rules.absences.filter((one) => one.id !== id)
  if (absences.length === rules.absences.length) throw new AppError('not_found')
  return { ...rules, absences }
}

function planAbsence(ctx: AsProvider, mine: OwnSchedule, input: AddAbsenceInput): PlannedChange {
  const { replaces, note } = input
  const before = replaces === undefined ? mine.rules : withoutAbsence(mine, replaces)
  const absence = {
    id: replaces ?? ctx.newId('abs'),
    placeNo: input.placeId === null ? null : placeNoOf(mine, input.placeId),
    from: dayNumber(input.from),
    to: dayNumber(input.to),
    note,
  }
  assertDateLimit(before, 1)
  assertAbsence(mine, before.absences, absence)
  return {
    after: { ...before, absences: [...before.absences, absence] },
    write: async (db, { owner }) => {
      if (replaces !== undefined)
        await deleteRule(db, 'absences', { providerNo: owner.no, id: replaces })
      await insertAbsence(db, {
        id: absence.id,
        provider_no: owner.no,
        place_no: absence.placeNo,
        from_date: input.from,
        to_date: input.to,
        note,
      })
    },
  }
}

/** Adds or changes an absence. */
export function addAbsence(ctx: AsProvider, input: AddAbsenceInput): Promise<ChangeResponse> {
  return changeRules(ctx, {
    input,
    audit: { action: 'availability.absence_added' },
    plan: (mine) => planAbsence(ctx, mine, input),
  })
}

/** The rules without one block; one that is not the viewer's is `not_found`. */
function withoutBlock({ rules }: Pick<OwnSchedule, 'rules'>, id: string): Rules {
  const blocks = rules.blocks.filter((one) => one.id !== id)
  if (blocks.length === rules.blocks.length) throw new AppError('not_found')
  return { ...rules, blocks }
}

function planBlock(ctx: AsProvider, mine: OwnSchedule, input: AddBlockInput): PlannedChange {
  const { replaces, date, weekly, until, from, to, note } = input
  const before = replaces === undefined ? mine.rules : withoutBlock(mine, replaces)
  const block: Block = {
    id: replaces ?? ctx.newId('blk'),
    day: dayNumber(date),
    isWeekly: weekly,
    until: until === null ? null : dayNumber(until),
    from,
    to,
    note,
  }
  assertDateLimit(before, 1)
  assertBlock(mine, block)
  return {
    after: { ...before, blocks: [...before.blocks, block] },
    write: async (db, { owner }) => {
      if (replaces !== undefined) {
        await deleteRule(db, 'blocks', { providerNo: owner.no, id: replaces })
      }
      await insertBlock(db, {
        id: block.id,
        provider_no: owner.no,
        date,
        is_weekly: toFlag(weekly),
        until_date: until,
        from_minute: from,
        to_minute: to,
        note,
      })
    },
  }
}

/**
 * Blocks part of a day, once or weekly, or changes a block. Visits booked then stay, reported as conflicts.
 */
export function addBlock(ctx: AsProvider, input: AddBlockInput): Promise<ChangeResponse> {
  return changeRules(ctx, {
    input,
    audit: { action: 'availability.block_added' },
    plan: (mine) => planBlock(ctx, mine, input),
  })
}

/** Removes a block: its hours are offered again. */
export function removeBlock(ctx: AsProvider, input: RemoveBlockInput): Promise<ChangeResponse> {
  return changeRules(ctx, {
    input,
    audit: { action: 'availability.block_removed' },
    plan: (mine) => ({
      after: withoutBlock(mine, input.id),
      write: async (db, { owner }) => {
        await deleteRule(db, 'blocks', { providerNo: owner.no, id: input.id })
      },
    }),
  })
}

type Visit = { place_no: number; start_at: Instant; time_zone: string }

/**
 * Returns a function that finds the absence of the provider a visit falls in: its public id, or null. Uses
 * the local day at the place of the visit, even if that place has been removed since.
 */
export async function absenceFinder(
  db: Db,
  providerNo: number,
  now: Instant,
): Promise<(visit: Visit) => string | null> {
  // Yesterday in UTC may still be today in some zone.
  const since = dateOfDay(dayAt('UTC', now) - 1)
  const absences = (await listAbsences(db, [providerNo], since)).map((row) => ({
    id: row.id,
    placeNo: row.place_no,
    from: dayNumber(row.from_date),
    to: dayNumber(row.to_date),
  }))
  return (visit) => {
    const day = dayAt(visit.time_zone, visit.start_at)
    const match = absences.find(
      ({ placeNo, from, to }) =>
        from <= day && day <= to && (placeNo === null || placeNo === visit.place_no),
    )
    return match?.id ?? null
  }
}
