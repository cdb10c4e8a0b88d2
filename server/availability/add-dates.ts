import type { AddDatesInput, ChangeAnswer } from '#contract/availability.ts'
import { dateOfDay, dayNumber } from '#contract/time.ts'
import type { Context } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { changeRules, type Planned } from './change-rules.ts'
import type { ExtraRange, Rules } from './hours-rules.ts'
import { assertExtras, assertRoomFor } from './input-rules.ts'
import { type Mine, placeNoOf } from './read-mine.ts'
import { deleteExtraDate, insertExtraDates } from './schedule-store.ts'

/** The rules without one extra date; one that is not the viewer's is `not_found`. */
export function withoutExtra({ rules }: Pick<Mine, 'rules'>, id: string): Rules {
  const extras = rules.extras.filter((one) => one.id !== id)
  if (extras.length === rules.extras.length) throw new AppError('not_found')
  return { ...rules, extras }
}

function planDates(ctx: Context, mine: Mine, input: AddDatesInput): Planned {
  const { replaces, dates, from, to, note } = input
  const before = replaces === undefined ? mine.rules : withoutExtra(mine, replaces)
  const placeNo = placeNoOf(mine, input.placeId)
  const added = dates.map((date): ExtraRange => {
    return { id: ctx.newId('xdt'), placeNo, day: dayNumber(date), from, to }
  })
  assertRoomFor(before, added.length)
  assertExtras(mine, before, added)
  return {
    after: { ...before, extras: [...before.extras, ...added] },
    write: async (db, { owner }) => {
      if (replaces !== undefined) await deleteExtraDate(db, { providerNo: owner.no, id: replaces })
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
export function addDates(ctx: Context, input: AddDatesInput): Promise<ChangeAnswer> {
  return changeRules(ctx, {
    input,
    audit: { action: 'availability.dates_added', details: { dates: input.dates.length } },
    plan: (mine) => planDates(ctx, mine, input),
  })
}
