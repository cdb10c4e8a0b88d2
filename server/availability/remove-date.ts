import type { ChangeAnswer, RemoveAbsenceInput, RemoveDateInput } from '#contract/availability.ts'
import type { Context } from '#server/context.ts'
import { withoutAbsence } from './add-absence.ts'
import { withoutExtra } from './add-dates.ts'
import { changeRules } from './change-rules.ts'
import { deleteAbsence, deleteExtraDate } from './schedule-store.ts'

/** Takes extra hours of one day away. */
export function removeDate(ctx: Context, input: RemoveDateInput): Promise<ChangeAnswer> {
  return changeRules(ctx, {
    input,
    audit: { action: 'availability.date_removed' },
    plan: (mine) => ({
      after: withoutExtra(mine, input.id),
      write: async (db, { owner }) => {
        await deleteExtraDate(db, { providerNo: owner.no, id: input.id })
      },
    }),
  })
}

/** Takes days away back: the hours of those days are offered again. */
export function removeAbsence(ctx: Context, input: RemoveAbsenceInput): Promise<ChangeAnswer> {
  return changeRules(ctx, {
    input,
    audit: { action: 'availability.absence_removed' },
    plan: (mine) => ({
      after: withoutAbsence(mine, input.id),
      write: async (db, { owner }) => {
        await deleteAbsence(db, { providerNo: owner.no, id: input.id })
      },
    }),
  })
}
