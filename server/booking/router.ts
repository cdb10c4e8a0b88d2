import { Nothing } from '#contract/auth.ts'
import {
  CalendarFile,
  DescribeInput,
  Hold,
  HoldInput,
  HoldRef,
  Holds,
  ProviderDay,
  PurposeAnswer,
  SlotAnswer,
  SlotInput,
  Visit,
  VisitRef,
  VisitsInput,
  VisitsPage,
} from '#contract/booking.ts'
import { publicProcedure, router, sessionProcedure } from '#server/trpc.ts'
import { calendarFile } from './calendar-file.ts'
import { checkSlot } from './check-slot.ts'
import { describeHold } from './describe-hold.ts'
import { holdSlot } from './hold-slot.ts'
import { listVisits } from './list-visits.ts'
import { readDay } from './read-day.ts'
import { listHolds, readHold } from './read-hold.ts'
import { readPurpose } from './read-purpose.ts'
import { readVisit } from './read-visit.ts'
import { renewHold } from './renew-hold.ts'

export const bookingRouter = router({
  calendar: sessionProcedure
    .input(VisitRef)
    .output(CalendarFile)
    .query(({ ctx, input }) => calendarFile(ctx, input)),
  checkSlot: publicProcedure
    .input(SlotInput)
    .output(SlotAnswer)
    .query(({ ctx, input }) => checkSlot(ctx, input)),
  current: sessionProcedure
    .input(HoldRef)
    .output(Hold)
    .query(({ ctx, input }) => readHold(ctx, input)),
  describe: sessionProcedure
    .input(DescribeInput)
    .output(Hold)
    .mutation(({ ctx, input }) => describeHold(ctx, input)),
  hold: sessionProcedure
    .input(HoldInput)
    .output(Hold)
    .mutation(({ ctx, input }) => holdSlot(ctx, input)),
  holds: sessionProcedure
    .input(Nothing)
    .output(Holds)
    .query(({ ctx }) => listHolds(ctx)),
  // It leaves a trace, so that it is no mere question.
  purpose: sessionProcedure
    .input(VisitRef)
    .output(PurposeAnswer)
    .mutation(({ ctx, input }) => readPurpose(ctx, input)),
  renew: sessionProcedure
    .input(HoldRef)
    .output(Hold)
    .mutation(({ ctx, input }) => renewHold(ctx, input)),
  today: sessionProcedure
    .input(Nothing)
    .output(ProviderDay)
    .query(({ ctx }) => readDay(ctx)),
  visit: sessionProcedure
    .input(VisitRef)
    .output(Visit)
    .query(({ ctx, input }) => readVisit(ctx, input)),
  visits: sessionProcedure
    .input(VisitsInput)
    .output(VisitsPage)
    .query(({ ctx, input }) => listVisits(ctx, input)),
})
