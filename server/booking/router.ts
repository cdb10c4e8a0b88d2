import * as z from 'zod/mini'
import { Done, Nothing } from '#contract/auth.ts'
import { WeekInput } from '#contract/availability.ts'
import {
  CalendarFile,
  DescribeInput,
  Hold,
  HoldInput,
  HoldRef,
  Holds,
  PurposeAnswer,
  SlotAnswer,
  SlotInput,
  Visit,
  VisitorHold,
  VisitorHoldInput,
  VisitRef,
  VisitsInput,
  VisitsPage,
} from '#contract/booking.ts'
import { ProviderDay, ProviderVisit, ProviderWeek } from '#contract/booking-provider.ts'
import { checkSlot } from '#server/booking/hold/find-offer.ts'
import {
  holdAsVisitor,
  leaveAsVisitor,
  readVisitorHold,
} from '#server/booking/hold/hold-as-visitor.ts'
import { holdSlot } from '#server/booking/hold/hold-slot.ts'
import { describeHold, listHolds, readHold } from '#server/booking/hold/read-hold.ts'
import { renewHold } from '#server/booking/hold/renew-hold.ts'
import { calendarFile } from '#server/booking/visits/calendar-file.ts'
import { readDay, readPurpose, readWeekVisits } from '#server/booking/visits/read-day.ts'
import { readProviderVisit } from '#server/booking/visits/read-provider-visit.ts'
import { listVisits, readVisit } from '#server/booking/visits/read-visit.ts'
import { publicProcedure, router, sessionProcedure } from '#server/trpc.ts'

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
  holdAsVisitor: publicProcedure
    .input(VisitorHoldInput)
    .output(VisitorHold)
    .mutation(({ ctx, input }) => holdAsVisitor(ctx, input)),
  holds: sessionProcedure
    .input(Nothing)
    .output(Holds)
    .query(({ ctx }) => listHolds(ctx)),
  leaveAsVisitor: publicProcedure
    .input(Nothing)
    .output(Done)
    .mutation(({ ctx }) => leaveAsVisitor(ctx)),
  providerVisit: sessionProcedure
    .input(VisitRef)
    .output(ProviderVisit)
    .query(({ ctx, input }) => readProviderVisit(ctx, input)),
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
  visitorHold: publicProcedure
    .input(Nothing)
    .output(z.nullable(VisitorHold))
    .query(({ ctx }) => readVisitorHold(ctx)),
  week: sessionProcedure
    .input(WeekInput)
    .output(ProviderWeek)
    .query(({ ctx, input }) => readWeekVisits(ctx, input)),
})
