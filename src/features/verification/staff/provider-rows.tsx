import { Link } from '@tanstack/react-router'
import { ArrowDown, ArrowUp, ArrowUpDown, Building2, IdCard } from 'lucide-react'
import type { ReactNode } from 'react'
import { formatLocalDate } from '#app/lib/format/dates.ts'
import { textLinkClass } from '#app/ui/button.tsx'
import { CardFact, type Column, DataTable } from '#app/ui/data-table.tsx'
import type { ProviderRow, ProvidersInput, ProvidersPage } from '#contract/verification-staff.ts'
import { Email, StatusBadge, ToneText } from './profile-part.tsx'
import { dateLabels, regionLabels, stateText } from './staff-text.ts'

type RowsProps = {
  page: ProvidersPage
  input: ProvidersInput
  /** Shows email addresses and dates, for roles that verify. */
  isFull: boolean
  /** A link to the same list in another order. */
  renderSort: (sort: ProvidersInput['sort'], children: ReactNode) => ReactNode
}

/** Links to a provider's page; verified ones have a separate, documented one. */
function NameLink({ row, list }: { row: ProviderRow; list: ProvidersInput['list'] }) {
  const className = `${textLinkClass} font-semibold wrap-anywhere`
  const { providerId, region, name } = row
  if (list === 'verified') {
    return (
      <Link
        to="/admin-home/verified-provider/$providerId/$region"
        params={{ providerId, region }}
        className={className}
      >
        {name}
      </Link>
    )
  }
  return (
    <Link to="/admin-home/providers/$providerId" params={{ providerId }} className={className}>
      {name}
    </Link>
  )
}

function Where({ row }: { row: ProviderRow }) {
  return (
    <span className="block text-sm text-muted">
      {[row.specialty, row.locality, regionLabels[row.region]].filter(Boolean).join(', ')}
    </span>
  )
}

function Status({ row }: { row: ProviderRow }) {
  const state = stateText(row)
  return (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <StatusBadge status={row.verification_status} />
      {state && <ToneText tone={state.tone}>{state.words}</ToneText>}
      {row.isNumberShared && <ToneText tone="warn">Number used by another account</ToneText>}
      {row.isProofWaiting && (
        <span className="inline-flex items-center gap-1.5 text-sm text-muted">
          <IdCard aria-hidden="true" className="size-4" />
          Proof to check
        </span>
      )}
      {row.hasCompanyInReview && (
        <span className="inline-flex items-center gap-1.5 text-sm text-muted">
          <Building2 aria-hidden="true" className="size-4" />
          Company to check
        </span>
      )}
    </span>
  )
}

function Registration({ row }: { row: ProviderRow }) {
  return (
    <>
      {row.professional_body_name}{' '}
      {row.membership_number ?? <span className="text-muted">not public</span>}
    </>
  )
}

/** The sort direction of a list that is sorted by date. */
function directionOf({ list, sort }: ProvidersInput): 'ascending' | 'descending' {
  if (sort === 'oldest') return 'ascending'
  return sort === 'usual' && (list === 'waiting' || list === 'company') ? 'ascending' : 'descending'
}

/** The columns of the list, whose headings link to another order. */
function columnsOf({ input, isFull, renderSort }: RowsProps): Column<ProviderRow>[] {
  const { list, sort } = input
  const direction = directionOf(input)
  // The queue has its own order, in which the date comes last.
  const isByDate = sort !== 'name' && !(sort === 'usual' && list === 'waiting')
  const isByName = sort === 'name'
  const ByName = isByName ? ArrowUp : ArrowUpDown
  const ByDate = isByDate ? (direction === 'ascending' ? ArrowUp : ArrowDown) : ArrowUpDown
  const full: Column<ProviderRow>[] = [
    {
      key: 'email',
      head: 'Email',
      cellClass: 'text-sm wrap-anywhere',
      renderCell: ({ email }) => <Email address={email} />,
    },
    {
      key: 'date',
      sorted: isByDate ? direction : undefined,
      head: renderSort(
        isByDate && direction === 'descending' ? 'oldest' : 'newest',
        <>
          {dateLabels[list]}
          <ByDate aria-hidden="true" className="size-4" />
        </>,
      ),
      cellClass: 'tabular whitespace-nowrap',
      renderCell: ({ at }) => (at === null ? '' : formatLocalDate(at)),
    },
  ]
  return [
    {
      key: 'name',
      sorted: isByName ? 'ascending' : undefined,
      head: renderSort(
        isByName ? 'usual' : 'name',
        <>
          Name
          <ByName aria-hidden="true" className="size-4" />
        </>,
      ),
      cellClass: 'min-w-48',
      renderCell: (row) => (
        <>
          <NameLink row={row} list={list} />
          <Where row={row} />
        </>
      ),
    },
    {
      key: 'registration',
      head: 'Registration',
      cellClass: 'tabular whitespace-nowrap',
      renderCell: (row) => <Registration row={row} />,
    },
    { key: 'status', head: 'Status', renderCell: (row) => <Status row={row} /> },
    ...(isFull ? full : []),
  ]
}

/** A page of providers. */
export function ProviderRows(props: RowsProps) {
  const { page, input, isFull } = props
  return (
    <DataTable
      caption="Providers"
      columns={columnsOf(props)}
      rows={page.providers}
      keyOf={({ providerId }) => providerId}
      from="4xl"
      rowClass="hover:bg-sunken/60"
      renderCard={(row) => (
        <>
          <NameLink row={row} list={input.list} />
          <Where row={row} />
          <p className="mt-2">
            <Status row={row} />
          </p>
          <dl className="tabular mt-3 grid grid-cols-2 gap-x-4 gap-y-2">
            <CardFact name="Registration">
              <Registration row={row} />
            </CardFact>
            {isFull && row.at !== null && (
              <CardFact name={dateLabels[input.list]}>{formatLocalDate(row.at)}</CardFact>
            )}
            {isFull && (
              <CardFact name="Email" className="col-span-2 wrap-anywhere">
                <Email address={row.email} />
              </CardFact>
            )}
          </dl>
        </>
      )}
    />
  )
}
