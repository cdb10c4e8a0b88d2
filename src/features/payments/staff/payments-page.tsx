import { Link, useNavigate } from '@tanstack/react-router'
import { useDeferredValue, useId, useState } from 'react'
import { useCurrentInView } from '#app/lib/browser-hooks.ts'
import { StaffHeading } from '#app/parts/dashboard-frame.tsx'
import { HistoryExport, HistoryFrame, HistoryList } from '#app/parts/history/history-view.tsx'
import { RoleReason, useStaffRefusal } from '#app/parts/role-guard.tsx'
import { useStepUp } from '#app/parts/step-up.tsx'
import { trpc } from '#app/trpc.ts'
import { Select, TextInput } from '#app/ui/fields.tsx'
import { EXPORT_PATH, type HistoryFilters } from '#contract/payments-history.ts'
import { DifferencesTab } from './differences-tab.tsx'
import { PaymentSheet, type RenderActions } from './payment-sheet.tsx'
import { ReviewTab } from './review-tab.tsx'
import {
  MAX_SEARCH_LENGTH,
  NO_STAFF_ONLY_FILTERS,
  PAYMENTS_PATH,
  readAllFilters,
  readStaffOnlyFilters,
  type StaffOnlyFilters,
  type StaffPaymentsSearch,
  staffInput,
  staffOnlyFiltersText,
  toStaffSearch,
} from './staff-search.ts'

const tab =
  'inline-flex min-h-11 items-center gap-2 border-b-2 border-transparent px-1 font-medium text-muted no-underline -outline-offset-3 ' +
  'hover:text-ink aria-[current=page]:border-brand aria-[current=page]:text-ink'

/** The number of pending items beside a tab's name. */
function CountBadge({ n }: { n: number | undefined }) {
  if (n === undefined || n === 0) return null
  return (
    <span className="tabular rounded-full bg-accent-tint px-2 text-sm font-semibold text-accent">
      {n}
      <span className="sr-only"> waiting</span>
    </span>
  )
}

function Tabs({ show }: { show: string | undefined }) {
  const { data } = trpc.payments.reviewCount.useQuery({})
  const inReview = data && data.payments + data.refunds
  const tabs = [
    { name: 'History', show: undefined, n: undefined },
    { name: 'In review', show: 'review', n: inReview },
    { name: 'Differences', show: 'differences', n: data?.differences },
  ]
  const row = useCurrentInView<HTMLElement>(`${show} ${inReview} ${data?.differences}`)
  return (
    <nav
      ref={row}
      aria-label="Payments"
      className="no-print mt-4 mb-6 flex gap-6 overflow-x-auto border-b max-sm:gap-3 border-line"
    >
      {tabs.map((one) => (
        <Link
          key={one.name}
          to={PAYMENTS_PATH}
          search={one.show === undefined ? {} : { show: one.show }}
          // Exact, as the URL also holds filters, with which a tab would not match otherwise.
          activeOptions={{ exact: true }}
          aria-current={one.show === show ? 'page' : undefined}
          className={tab}
        >
          <span className="whitespace-nowrap">{one.name}</span>
          <CountBadge n={one.n} />
        </Link>
      ))}
    </nav>
  )
}

type PaymentsPageProps = { address: StaffPaymentsSearch; renderActions: RenderActions }

/** `/admin-home/payments`: all bookings, pending decisions, and differences. */
export function PaymentsPage({ address, renderActions }: PaymentsPageProps) {
  const navigate = useNavigate()
  const { visit, ...list } = address
  const show = list.show === 'review' || list.show === 'differences' ? list.show : undefined
  return (
    <>
      <StaffHeading title="Appointment History" />
      <Tabs show={show} />
      {show === undefined && <HistoryTab address={address} />}
      {show === 'review' && <ReviewTab />}
      {show === 'differences' && <DifferencesTab address={list} />}
      <PaymentSheet
        id={visit ?? null}
        renderActions={renderActions}
        onClose={() => void navigate({ to: PAYMENTS_PATH, search: list, resetScroll: false })}
      />
    </>
  )
}

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
          to={PAYMENTS_PATH}
          search={toStaffSearch(filters, more, page)}
          resetScroll={false}
          activeOptions={{ exact: true }}
          {...props}
        />
      )}
      renderOpen={({ id }, props) => (
        <Link
          to={PAYMENTS_PATH}
          search={{ ...address, visit: id }}
          resetScroll={false}
          {...props}
        />
      )}
      whenNothing={<p>Visits appear here as soon as patients book and pay for them.</p>}
    />
  )
}

/** All booked appointments; a row opens beside the list. */
function HistoryTab({ address }: { address: StaffPaymentsSearch }) {
  const navigate = useNavigate()
  const { filters, more } = readAllFilters(address)
  const { draft, setDraft, wanted } = useFilterDraft(more)
  const go = (search: StaffPaymentsSearch) =>
    void navigate({ to: PAYMENTS_PATH, search, resetScroll: false })
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
