import * as z from 'zod/mini'
import { WeekInput } from '#contract/availability.ts'
import { Done } from '#contract/base/done.ts'
import { EmptyInput } from '#contract/base/empty-input.ts'
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
  DeskChange,
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
import { patientProcedure, providerProcedure, publicProcedure, router } from '#server/trpc.ts'
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
  addDesk: providerProcedure
    .meta({ scope: 'visits:write' })
    .input(AddDeskInput)
    .output(DeskChange)
    .mutation(({ ctx, input }) => addDesk(ctx, input)),
  calendar: patientProcedure
    .meta({ scope: 'visits:read' })
    .input(VisitRef)
    .output(CalendarFile)
    .query(({ ctx, input }) => calendarFile(ctx, input)),
  cancelDesk: providerProcedure
    .meta({ scope: 'visits:write' })
    .input(CancelDeskInput)
    .output(DeskChange)
    .mutation(({ ctx, input }) => cancelDesk(ctx, input)),
  checkSlot: publicProcedure
    .meta({ limit: 'slot', scope: 'any' })
    .input(SlotInput)
    .output(SlotResponse)
    .query(({ ctx, input }) => checkSlot(ctx, input)),
  current: patientProcedure
    .meta({ scope: 'visits:read' })
    .input(HoldRef)
    .output(Hold)
    .query(({ ctx, input }) => readHold(ctx, input)),
  describe: patientProcedure
    .meta({ scope: 'visits:write' })
    .input(DescribeInput)
    .output(Hold)
    .mutation(({ ctx, input }) => describeHold(ctx, input)),
  desk: providerProcedure
    .meta({ scope: 'visits:read' })
    .input(DeskRef)
    .output(DeskVisit)
    .query(({ ctx, input }) => readDesk(ctx, input)),
  deskList: providerProcedure
    .meta({ scope: 'visits:read' })
    .input(DeskListInput)
    .output(DeskList)
    .query(({ ctx, input }) => listDesk(ctx, input)),
  // A mutation, because the access is audited.
  deskNote: providerProcedure
    .input(DeskRef)
    .output(DeskNoteResponse)
    .mutation(({ ctx, input }) => readDeskNote(ctx, input)),
  editDesk: providerProcedure
    .meta({ scope: 'visits:write' })
    .input(EditDeskInput)
    .output(DeskBooking)
    .mutation(({ ctx, input }) => editDesk(ctx, input)),
  hold: patientProcedure
    .meta({ scope: 'visits:write' })
    .input(HoldInput)
    .output(Hold)
    .mutation(({ ctx, input }) => holdSlot(ctx, input)),
  holdAsVisitor: publicProcedure
    .meta({ may: ['visitor'], limit: 'slot' })
    .input(VisitorHoldInput)
    .output(VisitorHold)
    .mutation(({ ctx, input }) => holdAsVisitor(ctx, input)),
  holds: patientProcedure
    .meta({ scope: 'visits:read' })
    .input(EmptyInput)
    .output(Holds)
    .query(({ ctx }) => listHolds(ctx)),
  leaveAsVisitor: publicProcedure
    .input(EmptyInput)
    .output(Done)
    .mutation(({ ctx }) => leaveAsVisitor(ctx)),
  markDesk: providerProcedure
    .meta({ scope: 'visits:write' })
    .input(MarkDeskInput)
    .output(Marking)
    .mutation(({ ctx, input }) => markDesk(ctx, input)),
  moveDesk: providerProcedure
    .meta({ scope: 'visits:write' })
    .input(MoveDeskInput)
    .output(DeskChange)
    .mutation(({ ctx, input }) => moveDesk(ctx, input)),
  providerVisit: providerProcedure
    .input(VisitRef)
    .output(ProviderVisit)
    .query(({ ctx, input }) => readProviderVisit(ctx, input)),
  // A mutation, because the access is audited.
  purpose: providerProcedure
    .input(VisitRef)
    .output(PurposeResponse)
    .mutation(({ ctx, input }) => readPurpose(ctx, input)),
  renew: patientProcedure
    .meta({ scope: 'visits:write' })
    .input(HoldRef)
    .output(Hold)
    .mutation(({ ctx, input }) => renewHold(ctx, input)),
  today: providerProcedure
    .meta({ scope: 'visits:read' })
    .input(EmptyInput)
    .output(ProviderDay)
    .query(({ ctx }) => readDay(ctx)),
  visit: patientProcedure
    .meta({ scope: 'visits:read' })
    .input(VisitRef)
    .output(Visit)
    .query(({ ctx, input }) => readVisit(ctx, input)),
  visits: patientProcedure
    .meta({ scope: 'visits:read' })
    .input(VisitsInput)
    .output(VisitsPage)
    .query(({ ctx, input }) => listVisits(ctx, input)),
  visitorHold: publicProcedure
    .input(EmptyInput)
    .output(z.nullable(VisitorHold))
    .query(({ ctx }) => readVisitorHold(ctx)),
  week: providerProcedure
    .meta({ scope: 'visits:read' })
    .input(WeekInput)
    .output(ProviderWeek)
    .query(({ ctx, input }) => readWeekVisits(ctx, input)),
})
