import { Link, useNavigate } from '@tanstack/react-router'
import { useDeferredValue } from 'react'
import { HistoryFrame, HistoryList } from '#app/parts/history-view.tsx'
import { RoleReason } from '#app/parts/role-gate.tsx'
import { trpc } from '#app/trpc.ts'
import type { HistoryFilters } from '#contract/payments-history.ts'
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

type AllProps = {
  address: StaffAddress
  go: (search: StaffAddress) => void
  onApply: (filters: HistoryFilters) => void
}

function All({ address, go, onApply }: AllProps) {
  const { filters, more } = readAll(address)
  // Until the list of other filters is there the one before stays, paler.
  const shown = useDeferredValue(address)
  const input = staffInput(shown)
  const [history] = trpc.payments.staffHistory.useSuspenseQuery(input)
  return (
    <HistoryList
      hasDoctors
      filters={filters}
      history={history}
      isStale={shown !== address}
      onApply={onApply}
      onClear={() => go({})}
      isNarrowedMore={JSON.stringify({ ...more, sort_by: 'date' }) !== JSON.stringify(NO_MORE)}
      moreWords={moreWords(more)}
      sortBy={more.sort_by}
      actions={<ExportButton input={input} total={history.total} />}
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
  )
}

/** Everybody's booked appointments; a row opens beside the list. */
export function HistoryTab({ address }: { address: StaffAddress }) {
  const navigate = useNavigate()
  const { filters, more } = readAll(address)
  const { draft, setDraft, wanted } = useMoreDraft(more)
  const go = (search: StaffAddress) => void navigate({ to: HERE, search, resetScroll: false })
  const apply = (chosen: HistoryFilters) => go(staffAddress(chosen, wanted()))
  return (
    <>
      <RoleReason act="seeNames" className="no-print mb-4" />
      <HistoryFrame
        filters={filters}
        onApply={apply}
        more={<StaffFilters draft={draft} applied={more} onChange={setDraft} />}
      >
        <All address={address} go={go} onApply={apply} />
      </HistoryFrame>
    </>
  )
}
