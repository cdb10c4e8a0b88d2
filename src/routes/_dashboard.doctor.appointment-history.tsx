import { createFileRoute } from '@tanstack/react-router'
import { HistoryPage } from '#app/features/payments/history-page.tsx'
import { DeskList } from '#app/features/visits/desk-list.tsx'
import { type HistorySearch, historyInput } from '#app/parts/history/history-filters.tsx'
import { whenProvider } from '#app/parts/use-me.ts'

export const Route = createFileRoute('/_dashboard/doctor/appointment-history')({
  // Parsed by the page: parsed here, the filters at their defaults would be written into the URL too.
  validateSearch: (raw: HistorySearch) => raw,
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => {
    whenProvider(context, ({ booking, payments }) => {
      void payments.providerHistory.prefetch(historyInput(deps))
      // What the list below it begins with.
      void booking.deskList.prefetch({ page: 1, search: '' })
    })
  },
  component: HistoryScreen,
})

function HistoryScreen() {
  return (
    <>
      <HistoryPage address={Route.useSearch()} />
      <DeskList />
    </>
  )
}
