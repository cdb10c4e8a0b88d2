import { Done } from '#contract/base/done.ts'
import { EmptyInput } from '#contract/base/empty-input.ts'
import {
  AddOutsideCalendarInput,
  ChangeOutsideCalendarInput,
  OutsideCalendar,
  OutsideCalendarRef,
  OutsideCalendars,
} from '#contract/outside-calendars.ts'
import { providerProcedure, router } from '#server/trpc.ts'
import {
  addOutside,
  changeOutside,
  readOutside,
  readOutsideNow,
  removeOutside,
} from './outside-calendars.ts'

export const outsideCalendarsRouter = router({
  add: providerProcedure
    .meta({ scope: 'availability:write' })
    .input(AddOutsideCalendarInput)
    .output(OutsideCalendar)
    .mutation(({ ctx, input }) => addOutside(ctx, input)),
  change: providerProcedure
    .meta({ scope: 'availability:write' })
    .input(ChangeOutsideCalendarInput)
    .output(OutsideCalendar)
    .mutation(({ ctx, input }) => changeOutside(ctx, input)),
  list: providerProcedure
    .meta({ scope: 'availability:read' })
    .input(EmptyInput)
    .output(OutsideCalendars)
    .query(({ ctx }) => readOutside(ctx)),
  readNow: providerProcedure
    .meta({ scope: 'availability:write' })
    .input(OutsideCalendarRef)
    .output(OutsideCalendar)
    .mutation(({ ctx, input }) => readOutsideNow(ctx, input)),
  remove: providerProcedure
    .meta({ scope: 'availability:write' })
    .input(OutsideCalendarRef)
    .output(Done)
    .mutation(({ ctx, input }) => removeOutside(ctx, input)),
})
