import { Nothing } from '#contract/auth.ts'
import {
  AddAbsenceInput,
  AddBlockInput,
  AddDatesInput,
  Availability,
  ChangeAnswer,
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
import {
  addAbsence,
  addBlock,
  addDates,
  removeAbsence,
  removeBlock,
  removeDate,
} from '#server/availability/hours/change-dates.ts'
import { explainTime, readWeek } from '#server/availability/hours/explain-time.ts'
import { previewWeeks } from '#server/availability/hours/preview-weeks.ts'
import { readMine } from '#server/availability/hours/read-mine.ts'
import { saveHours } from '#server/availability/hours/save-hours.ts'
import { freeTimes } from '#server/availability/slots/free-times.ts'
import { providerProcedure, publicReadProcedure, router } from '#server/trpc.ts'

export const availabilityRouter = router({
  addAbsence: providerProcedure
    .input(AddAbsenceInput)
    .output(ChangeAnswer)
    .mutation(({ ctx, input }) => addAbsence(ctx, input)),
  addBlock: providerProcedure
    .input(AddBlockInput)
    .output(ChangeAnswer)
    .mutation(({ ctx, input }) => addBlock(ctx, input)),
  addDates: providerProcedure
    .input(AddDatesInput)
    .output(ChangeAnswer)
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
    .input(Nothing)
    .output(Availability)
    .query(({ ctx }) => readMine(ctx)),
  preview: providerProcedure
    .input(PreviewInput)
    .output(Preview)
    .query(({ ctx, input }) => previewWeeks(ctx, input)),
  removeAbsence: providerProcedure
    .input(RemoveAbsenceInput)
    .output(ChangeAnswer)
    .mutation(({ ctx, input }) => removeAbsence(ctx, input)),
  removeBlock: providerProcedure
    .input(RemoveBlockInput)
    .output(ChangeAnswer)
    .mutation(({ ctx, input }) => removeBlock(ctx, input)),
  removeDate: providerProcedure
    .input(RemoveDateInput)
    .output(ChangeAnswer)
    .mutation(({ ctx, input }) => removeDate(ctx, input)),
  saveHours: providerProcedure
    .input(SaveHoursInput)
    .output(ChangeAnswer)
    .mutation(({ ctx, input }) => saveHours(ctx, input)),
  week: providerProcedure
    .input(WeekInput)
    .output(WeekPlan)
    .query(({ ctx, input }) => readWeek(ctx, input)),
})
