import { EmptyInput } from '#contract/auth.ts'
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
    .input(AddAbsenceInput)
    .output(ChangeResponse)
    .mutation(({ ctx, input }) => addAbsence(ctx, input)),
  addBlock: providerProcedure
    .input(AddBlockInput)
    .output(ChangeResponse)
    .mutation(({ ctx, input }) => addBlock(ctx, input)),
  addDates: providerProcedure
    .input(AddDatesInput)
    .output(ChangeResponse)
    .mutation(({ ctx, input }) => addDates(ctx, input)),
  explain: providerProcedure
    .input(ExplainInput)
    .output(Explanation)
    .query(({ ctx, input }) => explainTime(ctx, input)),
  freeTimes: publicReadProcedure
    .input(FreeTimesInput)
    .output(FreeTimes)
    .query(({ ctx, input }) => freeTimes(ctx, input)),
  mine: providerProcedure
    .input(EmptyInput)
    .output(Availability)
    .query(({ ctx }) => readAvailability(ctx)),
  preview: providerProcedure
    .input(PreviewInput)
    .output(Preview)
    .query(({ ctx, input }) => previewWeeks(ctx, input)),
  removeAbsence: providerProcedure
    .input(RemoveAbsenceInput)
    .output(ChangeResponse)
    .mutation(({ ctx, input }) => removeAbsence(ctx, input)),
  removeBlock: providerProcedure
    .input(RemoveBlockInput)
    .output(ChangeResponse)
    .mutation(({ ctx, input }) => removeBlock(ctx, input)),
  removeDate: providerProcedure
    .input(RemoveDateInput)
    .output(ChangeResponse)
    .mutation(({ ctx, input }) => removeDate(ctx, input)),
  saveHours: providerProcedure
    .input(SaveHoursInput)
    .output(ChangeResponse)
    .mutation(({ ctx, input }) => saveHours(ctx, input)),
  week: providerProcedure
    .input(WeekInput)
    .output(WeekPlan)
    .query(({ ctx, input }) => readWeek(ctx, input)),
})
