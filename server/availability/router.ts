import { Nothing } from '#contract/auth.ts'
import {
  AddAbsenceInput,
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
  RemoveDateInput,
  SaveHoursInput,
} from '#contract/availability.ts'
import { providerProcedure, publicProcedure, router } from '#server/trpc.ts'
import { addAbsence } from './add-absence.ts'
import { addDates } from './add-dates.ts'
import { explainTime } from './explain-time.ts'
import { freeTimes } from './free-times.ts'
import { previewWeeks } from './preview-weeks.ts'
import { readMine } from './read-mine.ts'
import { removeAbsence, removeDate } from './remove-date.ts'
import { saveHours } from './save-hours.ts'

export const availabilityRouter = router({
  addAbsence: providerProcedure
    .input(AddAbsenceInput)
    .output(ChangeAnswer)
    .mutation(({ ctx, input }) => addAbsence(ctx, input)),
  addDates: providerProcedure
    .input(AddDatesInput)
    .output(ChangeAnswer)
    .mutation(({ ctx, input }) => addDates(ctx, input)),
  explain: providerProcedure
    .input(ExplainInput)
    .output(Explanation)
    .query(({ ctx, input }) => explainTime(ctx, input)),
  freeTimes: publicProcedure
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
  removeDate: providerProcedure
    .input(RemoveDateInput)
    .output(ChangeAnswer)
    .mutation(({ ctx, input }) => removeDate(ctx, input)),
  saveHours: providerProcedure
    .input(SaveHoursInput)
    .output(ChangeAnswer)
    .mutation(({ ctx, input }) => saveHours(ctx, input)),
})
