import {
  AddAbsenceInput,
  AddBlockInput,
  AddDatesInput,
  Availability,
  ChangeResponse,
  ExplainInput,
  Explanation,
  FreeTimes,
  FreeTimesInput,
  Preview,
  PreviewInput,
  RemoveAbsenceInput,
  RemoveBlockInput,
  RemoveDateInput,
  SaveHoursInput,
  WeekInput,
  WeekPlan,
} from '#contract/availability.ts'
import { EmptyInput } from '#contract/base/empty-input.ts'
import { providerProcedure, publicReadProcedure, router } from '#server/trpc.ts'
import {
  addAbsence,
  addBlock,
  addDates,
  removeAbsence,
  removeBlock,
  removeDate,
} from './hours/change-dates.ts'
import { explainTime, previewWeeks, readWeek } from './hours/explain-time.ts'
import { readAvailability } from './hours/read-availability.ts'
import { saveHours } from './hours/save-hours.ts'
import { freeTimes } from './slots/free-times.ts'

export const availabilityRouter = router({
  addAbsence: providerProcedure
    .meta({ scope: 'availability:write' })
    .input(AddAbsenceInput)
    .output(ChangeResponse)
    .mutation(({ ctx, input }) => addAbsence(ctx, input)),
  addBlock: providerProcedure
    .meta({ scope: 'availability:write' })
    .input(AddBlockInput)
    .output(ChangeResponse)
    .mutation(({ ctx, input }) => addBlock(ctx, input)),
  addDates: providerProcedure
    .meta({ scope: 'availability:write' })
    .input(AddDatesInput)
    .output(ChangeResponse)
    .mutation(({ ctx, input }) => addDates(ctx, input)),
  explain: providerProcedure
    .meta({ scope: 'availability:read' })
    .input(ExplainInput)
    .output(Explanation)
    .query(({ ctx, input }) => explainTime(ctx, input)),
  freeTimes: publicReadProcedure
    .meta({ scope: 'any' })
    .input(FreeTimesInput)
    .output(FreeTimes)
    .query(({ ctx, input }) => freeTimes(ctx, input)),
  mine: providerProcedure
    .meta({ scope: 'availability:read' })
    .input(EmptyInput)
    .output(Availability)
    .query(({ ctx }) => readAvailability(ctx)),
  preview: providerProcedure
    .meta({ scope: 'availability:read' })
    .input(PreviewInput)
    .output(Preview)
    .query(({ ctx, input }) => previewWeeks(ctx, input)),
  removeAbsence: providerProcedure
    .meta({ scope: 'availability:write' })
    .input(RemoveAbsenceInput)
    .output(ChangeResponse)
    .mutation(({ ctx, input }) => removeAbsence(ctx, input)),
  removeBlock: providerProcedure
    .meta({ scope: 'availability:write' })
    .input(RemoveBlockInput)
    .output(ChangeResponse)
    .mutation(({ ctx, input }) => removeBlock(ctx, input)),
  removeDate: providerProcedure
    .meta({ scope: 'availability:write' })
    .input(RemoveDateInput)
    .output(ChangeResponse)
    .mutation(({ ctx, input }) => removeDate(ctx, input)),
  saveHours: providerProcedure
    .meta({ scope: 'availability:write' })
    .input(SaveHoursInput)
    .output(ChangeResponse)
    .mutation(({ ctx, input }) => saveHours(ctx, input)),
  week: providerProcedure
    .meta({ scope: 'availability:read' })
    .input(WeekInput)
    .output(WeekPlan)
    .query(({ ctx, input }) => readWeek(ctx, input)),
})
