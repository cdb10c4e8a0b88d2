import { createFileRoute } from '@tanstack/react-router'
import { AddBlock } from '#app/features/availability/overview/block-form.tsx'
import { SlotPicker } from '#app/features/availability/slot-picker.tsx'
import { Calendar, type CalendarProps } from '#app/features/calendar/calendar.tsx'
import { CalendarSearch, daysOf } from '#app/features/calendar/calendar-search.ts'
import { DeskDetails } from '#app/features/dashboard/desk-page.tsx'
import { DashboardHomePage } from '#app/features/dashboard/home-page.tsx'
import { VisitDetails } from '#app/features/dashboard/visit-page.tsx'
import { DeskActions, DeskMoveDialog } from '#app/features/visits/desk-actions.tsx'
import { AddDeskVisit } from '#app/features/visits/desk-form.tsx'
import { AgreedMoveDialog, ProviderVisitActions } from '#app/features/visits/provider-actions.tsx'
import { LeaveGuard } from '#app/parts/leave-guard.tsx'
import { whenProvider } from '#app/parts/use-me.ts'
import type { QueryUtils } from '#app/trpc.ts'
import { isDeskId } from '#contract/base/ids.ts'

export const Route = createFileRoute('/_dashboard/dochome')({
  validateSearch: (search) => CalendarSearch.parse(search),
  // Without `loaderDeps`: they would hold up each step from week to week, and lose some of several quick ones.
  loader: ({ context, location }) => {
    whenProvider(context, (utils) => {
      void prefetchCalendar(utils, CalendarSearch.parse(location.search))
      void utils.payments.earnings.prefetch()
      void utils.profiles.own.prefetch()
      void utils.verification.mine.prefetch({})
    })
  },
  component: HomeScreen,
})

/** Prefetches today, and then the calendar's days, which depend on the clinic's date and time zone. */
async function prefetchCalendar(
  { availability, booking }: QueryUtils,
  { on, view }: CalendarSearch,
): Promise<void> {
  try {
    const { date, timeZone } = await booking.today.fetch()
    const shown = daysOf({ view, on: on ?? date }, timeZone)
    void availability.week.prefetch(shown)
    void booking.week.prefetch(shown)
  } catch {
    // The page finds the error in the cache and shows it.
  }
}

function HomeScreen() {
  return (
    <LeaveGuard>
      <DashboardHomePage renderCalendar={(day) => <HomeCalendar {...day} />} />
    </LeaveGuard>
  )
}

/** Separate from the page, which is not rendered again when the week changes. */
function HomeCalendar({ date, timeZone }: Pick<CalendarProps, 'timeZone'> & { date: string }) {
  return (
    <Calendar
      search={Route.useSearch()}
      today={date}
      timeZone={timeZone}
      renderAdd={(start, close, isShown) => (
        <AddDeskVisit start={start} isShown={isShown} onClose={close} />
      )}
      renderBlock={(start, close, isShown) => (
        <AddBlock start={start} isShown={isShown} onClose={close} />
      )}
      renderMove={(move, close) => {
        const MoveDialog = isDeskId(move.visitId) ? DeskMoveDialog : AgreedMoveDialog
        return (
          <MoveDialog
            {...move}
            renderPicker={(picker) => <SlotPicker {...picker} />}
            onClose={close}
          />
        )
      }}
      renderVisit={(visitId) =>
        isDeskId(visitId) ? (
          <DeskDetails
            visitId={visitId}
            renderActions={(visit) => (
              <DeskActions visit={visit} renderPicker={(picker) => <SlotPicker {...picker} />} />
            )}
          />
        ) : (
          <VisitDetails
            visitId={visitId}
            renderActions={(visit) => (
              <ProviderVisitActions
                visit={visit}
                renderPicker={(picker) => <SlotPicker {...picker} />}
              />
            )}
          />
        )
      }
    />
  )
}
