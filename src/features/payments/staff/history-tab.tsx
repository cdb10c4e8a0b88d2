import { Link, useNavigate } from '@tanstack/react-router'
import { useDeferredValue, useId, useState } from 'react'
import { HistoryExport } from '#app/parts/history-export.tsx'
import { HistoryFrame, HistoryList } from '#app/parts/history-view.tsx'
import { RoleReason, useStaffRefusal } from '#app/parts/role-guard.tsx'
import { useStepUp } from '#app/parts/step-up.tsx'
import { trpc } from '#app/trpc.ts'
import { Select } from '#app/ui/select.tsx'
import { TextInput } from '#app/ui/text-input.tsx'
import { EXPORT_PATH, type HistoryFilters } from '#contract/payments-history.ts'
import {
  MAX_SEARCH_LENGTH,
  NO_STAFF_ONLY_FILTERS,
  readAllFilters,
  readStaffOnlyFilters,
  type StaffOnlyFilters,
  type StaffPaymentsSearch,
  staffInput,
  staffOnlyFiltersText,
  toStaffSearch,
} from './staff-search.ts'

const PAGE_PATH = '/admin-home/payments'

type AllPaymentsProps = {
  address: StaffPaymentsSearch
  go: (search: StaffPaymentsSearch) => void
  onApply: (filters: HistoryFilters) => void
}

function AllPayments({ address, go, onApply }: AllPaymentsProps) {
  const { filters, more } = readAllFilters(address)
  // The previous list stays, dimmed, until the one for the new filters has loaded.
  const shown = useDeferredValue(address)
  const input = staffInput(shown)
  const { page: _page, ...whole } = input
  const { client } = trpc.useUtils()
  const prove = useStepUp()
  const noExport = useStaffRefusal('export')
  const [history] = trpc.payments.staffHistory.useSuspenseQuery(input)
  return (
    <HistoryList
      hasDoctors
      filters={filters}
      history={history}
      isStale={shown !== address}
      onApply={onApply}
      onClear={() => go({})}
      isNarrowedMore={
        JSON.stringify({ ...more, sort_by: 'date' }) !== JSON.stringify(NO_STAFF_ONLY_FILTERS)
      }
      moreWords={staffOnlyFiltersText(more)}
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
          to={PAGE_PATH}
          search={toStaffSearch(filters, more, page)}
          resetScroll={false}
          activeOptions={{ exact: true }}
          {...props}
        />
      )}
      renderOpen={({ id }, props) => (
        <Link to={PAGE_PATH} search={{ ...address, visit: id }} resetScroll={false} {...props} />
      )}
      whenNothing={<p>Visits appear here as soon as patients book and pay for them.</p>}
    />
  )
}

/** All booked appointments; a row opens beside the list. */
export function HistoryTab({ address }: { address: StaffPaymentsSearch }) {
  const navigate = useNavigate()
  const { filters, more } = readAllFilters(address)
  const { draft, setDraft, wanted } = useFilterDraft(more)
  const go = (search: StaffPaymentsSearch) =>
    void navigate({ to: PAGE_PATH, search, resetScroll: false })
  const apply = (chosen: HistoryFilters) => go(toStaffSearch(chosen, wanted()))
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
        <AllPayments address={address} go={go} onApply={apply} />
      </HistoryFrame>
    </>
  )
}

type Draft = Record<keyof StaffOnlyFilters, string>

/** Draft of the staff-only filters, before Submit. */
function useFilterDraft(applied: StaffOnlyFilters) {
  const [draft, setDraft] = useState<Draft>(applied)
  const [seen, setSeen] = useState(applied)
  // Going back in the browser restores the filters of that time.
  if (JSON.stringify(seen) !== JSON.stringify(applied)) {
    setSeen(applied)
    setDraft(applied)
  }
  return { draft, setDraft, wanted: () => readStaffOnlyFilters(draft) }
}

type StaffFiltersProps = { draft: Draft; onChange: (draft: Draft) => void }

/** One search field for any identifier, whose kind is recognised by its form. */
function StaffSearch({ draft, onChange }: StaffFiltersProps) {
  const nameless = useStaffRefusal('seeNames')
  return (
    <TextInput
      id={useId()}
      label={nameless === null ? 'Name, email, reference or payment ID' : 'Reference or payment ID'}
      type="search"
      autoComplete="off"
      spellCheck={false}
      maxLength={MAX_SEARCH_LENGTH}
      value={draft.search}
      onChange={(event) => onChange({ ...draft, search: event.currentTarget.value })}
    />
  )
}

/** The filters only staff have: order, status, region. */
function StaffFilters({ draft, onChange }: StaffFiltersProps) {
  const id = useId()
  const nameless = useStaffRefusal('seeNames')
  const field = (name: keyof Draft) => ({
    id: `${id}-${name}`,
    value: draft[name],
    onChange: (event: { currentTarget: { value: string } }) =>
      onChange({ ...draft, [name]: event.currentTarget.value }),
  })
  return (
    <>
      <Select label="Sort by" {...field('sort_by')}>
        <option value="date">Date</option>
        <option value="amount">Amount</option>
        <option value="user_name" disabled={nameless !== null}>
          User name
        </option>
        <option value="doctor_name" disabled={nameless !== null}>
          Doctor name
        </option>
        <option value="payment_method">Payment method</option>
      </Select>
      <Select label="Status" {...field('state')}>
        <option value="all">All</option>
        <option value="confirmed">Booked</option>
        <option value="cancelled">Cancelled</option>
        <option value="refunded">Refunded</option>
      </Select>
      <Select label="Region" {...field('region')}>
        <option value="all">All</option>
        <option value="uk">UK</option>
        <option value="usa">USA</option>
      </Select>
    </>
  )
}
