import { Link, useNavigate } from '@tanstack/react-router'
import { useDeferredValue } from 'react'
import { DashboardHeading } from '#app/parts/dashboard-frame.tsx'
import {
  type HistorySearch,
  historyInput,
  readFilters,
  toHistorySearch,
} from '#app/parts/history/history-filters.tsx'
import { HistoryExport, HistoryFrame, HistoryList } from '#app/parts/history/history-view.tsx'
import { trpc } from '#app/trpc.ts'
import { TextLink } from '#app/ui/button.tsx'
import { type HistoryFilters, OWN_EXPORT_PATH } from '#contract/payments-history.ts'

const PAGE_PATH = '/doctor/appointment-history'

type BookedProps = { address: HistorySearch; onApply: (filters: HistoryFilters) => void }

function BookedHistory({ address, onApply }: BookedProps) {
  const filters = readFilters(address)
  // The previous list stays, dimmed, until the one for the new filters has loaded.
  const shown = useDeferredValue(address)
  const input = historyInput(shown)
  const [history] = trpc.payments.providerHistory.useSuspenseQuery(input)
  const { page: _page, ...whole } = input
  const { client } = trpc.useUtils()
  return (
    <HistoryList
      filters={filters}
      history={history}
      isStale={shown !== address}
      onApply={onApply}
      onPrint={() => client.payments.printOwnHistory.query(whole)}
      actions={<HistoryExport path={OWN_EXPORT_PATH} filters={whole} total={history.total} />}
      renderOpen={({ id }, props) => (
        <Link to="/doctor/visits/$visitId" params={{ visitId: id }} {...props} />
      )}
      renderPageLink={(page, props) => (
        <Link
          key={props['aria-label']}
          to={PAGE_PATH}
          search={toHistorySearch(filters, page)}
          resetScroll={false}
          // Page one has no page in its URL, so every other page's URL would match it as well.
          activeOptions={{ exact: true }}
          {...props}
        />
      )}
      whenNothing={
        <p>
          Visits appear here as soon as patients book them.{' '}
          <TextLink to="/doctor/availability/all">See the times you offer</TextLink>
        </p>
      }
    />
  )
}

/** `/doctor/appointment-history`: what patients have booked with the provider, and paid. */
export function HistoryPage({ address }: { address: HistorySearch }) {
  const navigate = useNavigate()
  const apply = (wanted: HistoryFilters) =>
    void navigate({ to: PAGE_PATH, search: toHistorySearch(wanted), resetScroll: false })
  return (
    <>
      <DashboardHeading title="Booked History" />
      <div className="mt-6">
        <HistoryFrame filters={readFilters(address)} onApply={apply}>
          <BookedHistory address={address} onApply={apply} />
        </HistoryFrame>
      </div>
    </>
  )
}
