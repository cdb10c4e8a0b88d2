import * as z from 'zod/mini'
import { Done, EmptyInput } from '#contract/auth.ts'
import { WeekInput } from '#contract/availability.ts'
import {
  CalendarFile,
  DescribeInput,
  Hold,
  HoldInput,
  HoldRef,
  Holds,
  PurposeResponse,
  SlotInput,
  SlotResponse,
  Visit,
  VisitorHold,
  VisitorHoldInput,
  VisitRef,
  VisitsInput,
  VisitsPage,
} from '#contract/booking.ts'
import {
  AddDeskInput,
  CancelDeskInput,
  DeskBooking,
  DeskList,
  DeskListInput,
  DeskNoteResponse,
  DeskRef,
  DeskVisit,
  EditDeskInput,
  MarkDeskInput,
  MoveDeskInput,
} from '#contract/booking-desk.ts'
import { ProviderDay, ProviderVisit, ProviderWeek } from '#contract/booking-provider.ts'
import { Marking } from '#contract/outcomes.ts'
import { listDesk, readDesk, readDeskNote } from '#server/booking/desk/read-desk.ts'
import { calendarFile } from '#server/booking/visits/calendar-file.ts'
import { publicProcedure, router, sessionProcedure } from '#server/trpc.ts'
import { addDesk } from './desk/add-desk.ts'
import { cancelDesk, editDesk, markDesk, moveDesk } from './desk/change-desk.ts'
import { checkSlot } from './hold/find-offer.ts'
import { holdAsVisitor, holdSlot, leaveAsVisitor, readVisitorHold } from './hold/hold-slot.ts'
import { describeHold, listHolds, readHold, renewHold } from './hold/holds.ts'
import {
  readDay,
  readProviderVisit,
  readPurpose,
  readWeekVisits,
} from './visits/provider-visits.ts'
import { listVisits, readVisit } from './visits/read-visit.ts'

export const bookingRouter = router({
  addDesk: sessionProcedure
    .input(AddDeskInput)
    .output(DeskBooking)
    .mutation(({ ctx, input }) => addDesk(ctx, input)),
  calendar: sessionProcedure
    .input(VisitRef)
    .output(CalendarFile)
    .query(({ ctx, input }) => calendarFile(ctx, input)),
  cancelDesk: sessionProcedure
    .input(CancelDeskInput)
    .output(DeskBooking)
    .mutation(({ ctx, input }) => cancelDesk(ctx, input)),
  checkSlot: publicProcedure
    .input(SlotInput)
    .output(SlotResponse)
    .query(({ ctx, input }) => checkSlot(ctx, input)),
  current: sessionProcedure
    .input(HoldRef)
    .output(Hold)
    .query(({ ctx, input }) => readHold(ctx, input)),
  describe: sessionProcedure
    .input(DescribeInput)
    .output(Hold)
    .mutation(({ ctx, input }) => describeHold(ctx, input)),
  desk: sessionProcedure
    .input(DeskRef)
    .output(DeskVisit)
    .query(({ ctx, input }) => readDesk(ctx, input)),
  deskList: sessionProcedure
    .input(DeskListInput)
    .output(DeskList)
    .query(({ ctx, input }) => listDesk(ctx, input)),
  // A mutation, because the access is audited.
  deskNote: sessionProcedure
    .input(DeskRef)
    .output(DeskNoteResponse)
    .mutation(({ ctx, input }) => readDeskNote(ctx, input)),
  editDesk: sessionProcedure
    .input(EditDeskInput)
    .output(DeskBooking)
    .mutation(({ ctx, input }) => editDesk(ctx, input)),
  hold: sessionProcedure
    .input(HoldInput)
    .output(Hold)
    .mutation(({ ctx, input }) => holdSlot(ctx, input)),
  holdAsVisitor: publicProcedure
    .input(VisitorHoldInput)
    .output(VisitorHold)
    .mutation(({ ctx, input }) => holdAsVisitor(ctx, input)),
  holds: sessionProcedure
    .input(EmptyInput)
    .output(Holds)
    .query(({ ctx }) => listHolds(ctx)),
  leaveAsVisitor: publicProcedure
    .input(EmptyInput)
    .output(Done)
    .mutation(({ ctx }) => leaveAsVisitor(ctx)),
  markDesk: sessionProcedure
    .input(MarkDeskInput)
    .output(Marking)
    .mutation(({ ctx, input }) => markDesk(ctx, input)),
  moveDesk: sessionProcedure
    .input(MoveDeskInput)
    .output(DeskBooking)
    .mutation(({ ctx, input }) => moveDesk(ctx, input)),
  providerVisit: sessionProcedure
    .input(VisitRef)
    .output(ProviderVisit)
    .query(({ ctx, input }) => readProviderVisit(ctx, input)),
  // A mutation, because the access is audited.
  purpose: sessionProcedure
    .input(VisitRef)
    .output(PurposeResponse)
    .mutation(({ ctx, input }) => readPurpose(ctx, input)),
  renew: sessionProcedure
    .input(HoldRef)
    .output(Hold)
    .mutation(({ ctx, input }) => renewHold(ctx, input)),
  today: sessionProcedure
    .input(EmptyInput)
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
    .input(EmptyInput)
    .output(z.nullable(VisitorHold))
    .query(({ ctx }) => readVisitorHold(ctx)),
  week: sessionProcedure
    .input(WeekInput)
    .output(ProviderWeek)
    .query(({ ctx, input }) => readWeekVisits(ctx, input)),
})
