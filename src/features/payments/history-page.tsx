import { keepPreviousData } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { DashboardHeading } from '#app/parts/dashboard-heading.tsx'
import {
  type HistoryAddress,
  historyAddress,
  historyInput,
  readFilters,
} from '#app/parts/history-address.ts'
import { HistoryView } from '#app/parts/history-view.tsx'
import { trpc } from '#app/trpc.ts'
import { TextLink } from '#app/ui/text-link.tsx'

const HERE = '/doctor/appointment-history'

/** `/doctor/appointment-history`: what patients have booked with the viewer, and paid. */
export function HistoryPage({ address }: { address: HistoryAddress }) {
  const navigate = useNavigate()
  const filters = readFilters(address)
  const { data, error, refetch, isPlaceholderData } = trpc.payments.providerHistory.useQuery(
    historyInput(address),
    { placeholderData: keepPreviousData },
  )
  return (
    <>
      <DashboardHeading title="Booked History" />
      <div className="mt-6">
        <HistoryView
          filters={filters}
          history={data}
          error={error}
          isStale={isPlaceholderData}
          onRetry={() => void refetch()}
          onApply={(wanted) =>
            void navigate({ to: HERE, search: historyAddress(wanted), resetScroll: false })
          }
          renderPageLink={(page, props) => (
            <Link
              key={props['aria-label']}
              to={HERE}
              search={historyAddress(filters, page)}
              resetScroll={false}
              // Page one has no page in its address, which every other address includes.
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
      </div>
    </>
  )
}
