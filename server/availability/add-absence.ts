import type { AddAbsenceInput, ChangeAnswer } from '#contract/availability.ts'
import { dayNumber } from '#contract/time.ts'
import type { Context } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { changeRules, type Planned } from './change-rules.ts'
import type { Rules } from './hours-rules.ts'
import { assertAway, assertRoomFor } from './input-rules.ts'
import { type Mine, placeNoOf } from './read-mine.ts'
import { deleteAbsence, insertAbsence } from './schedule-store.ts'

/** The rules without one absence; one that is not the viewer's is `not_found`. */
export function withoutAbsence({ rules }: Pick<Mine, 'rules'>, id: string): Rules {
  const absences = rules.absences.filter((one) => one.id !== id)
  if (absences.length === rules.absences.length) throw new AppError('not_found')
  return { ...rules, absences }
}

function planAbsence(ctx: Context, mine: Mine, input: AddAbsenceInput): Planned {
  const { replaces, note } = input
  const before = replaces === undefined ? mine.rules : withoutAbsence(mine, replaces)
  const away = {
    id: ctx.newId('abs'),
    placeNo: input.placeId === null ? null : placeNoOf(mine, input.placeId),
    from: dayNumber(input.from),
    to: dayNumber(input.to),
    note,
  }
  assertRoomFor(before, 1)
  assertAway(mine, before.absences, away)
  return {
    after: { ...before, absences: [...before.absences, away] },
    write: async (db, { owner }) => {
      if (replaces !== undefined) await deleteAbsence(db, { providerNo: owner.no, id: replaces })
      await insertAbsence(db, {
        id: away.id,
        provider_no: owner.no,
        place_no: away.placeNo,
        from_date: input.from,
        to_date: input.to,
        note,
      })
    },
  }
}

/** Notes days away, or changes them. */
export function addAbsence(ctx: Context, input: AddAbsenceInput): Promise<ChangeAnswer> {
  return changeRules(ctx, {
    input,
    audit: { action: 'availability.absence_added' },
    plan: (mine) => planAbsence(ctx, mine, input),
  })
}
