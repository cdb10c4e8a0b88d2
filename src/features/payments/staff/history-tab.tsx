import { keepPreviousData } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { HistoryView } from '#app/parts/history-view.tsx'
import { RoleReason } from '#app/parts/role-gate.tsx'
import { trpc } from '#app/trpc.ts'
import { ExportButton } from './export-button.tsx'
import {
  moreWords,
  NO_MORE,
  readAll,
  type StaffAddress,
  staffAddress,
  staffInput,
} from './staff-address.ts'
import { StaffFilters, useMoreDraft } from './staff-filters.tsx'

const HERE = '/admin-home/payments'

/** Everybody's booked appointments; a row opens beside the list. */
export function HistoryTab({ address }: { address: StaffAddress }) {
  const navigate = useNavigate()
  const { filters, more } = readAll(address)
  const { draft, setDraft, wanted } = useMoreDraft(more)
  const input = staffInput(address)
  const { data, error, refetch, isPlaceholderData } = trpc.payments.staffHistory.useQuery(input, {
    placeholderData: keepPreviousData,
  })
  const go = (search: StaffAddress) => void navigate({ to: HERE, search, resetScroll: false })
  return (
    <>
      <RoleReason act="seeNames" className="no-print mb-4" />
      <HistoryView
        hasDoctors
        filters={filters}
        history={data}
        error={error}
        isStale={isPlaceholderData}
        onRetry={() => void refetch()}
        onApply={(chosen) => go(staffAddress(chosen, wanted()))}
        onClear={() => go({})}
        more={<StaffFilters draft={draft} onChange={setDraft} />}
        isNarrowedMore={JSON.stringify({ ...more, sort_by: 'date' }) !== JSON.stringify(NO_MORE)}
        moreWords={moreWords(more)}
        sortBy={more.sort_by}
        actions={<ExportButton input={input} total={data?.total ?? 0} />}
        renderPageLink={(page, props) => (
          <Link
            key={props['aria-label']}
            to={HERE}
            search={staffAddress(filters, more, page)}
            resetScroll={false}
            activeOptions={{ exact: true }}
            {...props}
          />
        )}
        renderOpen={({ id }, props) => (
          <Link to={HERE} search={{ ...address, visit: id }} resetScroll={false} {...props} />
        )}
        whenNothing={<p>Visits appear here as soon as patients book and pay for them.</p>}
      />
    </>
  )
}
