import { Link, useNavigate } from '@tanstack/react-router'
import { useDeferredValue } from 'react'
import { HistoryExport } from '#app/parts/history-export.tsx'
import { HistoryFrame, HistoryList } from '#app/parts/history-view.tsx'
import { RoleReason, useWhyNot } from '#app/parts/role-gate.tsx'
import { useProving } from '#app/parts/step-up.tsx'
import { trpc } from '#app/trpc.ts'
import { EXPORT_PATH, type HistoryFilters } from '#contract/payments-history.ts'
import {
  moreWords,
  NO_MORE,
  readAll,
  type StaffAddress,
  staffAddress,
  staffInput,
} from './staff-address.ts'
import { StaffFilters, StaffSearch, useMoreDraft } from './staff-filters.tsx'

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
  const { page: _page, ...whole } = input
  const { client } = trpc.useUtils()
  const prove = useProving()
  const noExport = useWhyNot('export')
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
      onPrint={() => client.payments.printHistory.query(whole)}
      actions={
        <HistoryExport
          path={EXPORT_PATH}
          filters={whole}
          prove={prove}
          total={history.total}
          whyNot={noExport}
        />
      }
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
        search={<StaffSearch draft={draft} onChange={setDraft} />}
        more={{
          fields: <StaffFilters draft={draft} onChange={setDraft} />,
          active: [more.state, more.region].filter((one) => one !== 'all').length,
        }}
      >
        <All address={address} go={go} onApply={apply} />
      </HistoryFrame>
    </>
  )
}
