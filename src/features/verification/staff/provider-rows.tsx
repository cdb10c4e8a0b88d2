import { Link } from '@tanstack/react-router'
import { ArrowDown, ArrowUp, ArrowUpDown, Building2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { textLinkClass } from '#app/ui/button.tsx'
import type { ProviderRow, ProvidersInput, ProvidersPage } from '#contract/verification-staff.ts'
import { dateWords, dayWords, regionWords, stateWords } from './staff-words.ts'
import { StatusBadge, ToneWord } from './told-part.tsx'

type RowsProps = {
  page: ProvidersPage
  input: ProvidersInput
  /** Addresses and dates are for those who verify. */
  isFull: boolean
  /** A link to the same list in another order. */
  renderSort: (sort: ProvidersInput['sort'], children: ReactNode) => ReactNode
}

/** The page of somebody: those who are verified have a documented one of their own. */
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
      {[row.specialty, row.locality, regionWords[row.region]].filter(Boolean).join(', ')}
    </span>
  )
}

/** Breaks before the @ where it has to. */
function Email({ address }: { address: string | null }) {
  const [name = '', ...rest] = (address ?? '').split('@')
  if (rest.length === 0) return name
  return (
    <>
      {name}
      <wbr />@{rest.join('@')}
    </>
  )
}

function Status({ row }: { row: ProviderRow }) {
  const state = stateWords(row)
  return (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <StatusBadge status={row.verification_status} />
      {state && <ToneWord tone={state.tone}>{state.words}</ToneWord>}
      {row.isNumberShared && <ToneWord tone="warn">Number used by another account</ToneWord>}
      {row.hasCompanyInReview && (
        <span className="inline-flex items-center gap-1.5 text-sm text-muted">
          <Building2 aria-hidden="true" strokeWidth={1.75} className="size-4" />
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

const head =
  'sticky top-0 z-10 border-b border-line bg-sunken px-4 py-3 text-left text-sm font-semibold whitespace-nowrap text-muted'
const cell = 'border-b border-line px-4 py-3 align-top group-last:border-b-0'

/** Where the order of a list is by one column: which way. */
function directionOf({ list, sort }: ProvidersInput): 'ascending' | 'descending' {
  if (sort === 'oldest') return 'ascending'
  return sort === 'usual' && (list === 'waiting' || list === 'company') ? 'ascending' : 'descending'
}

function Heads({ input, isFull, renderSort }: RowsProps) {
  const { list, sort } = input
  const direction = directionOf(input)
  // The queue has an order of its own, in which the date comes last.
  const isByDate = sort !== 'name' && !(sort === 'usual' && list === 'waiting')
  const Arrow = direction === 'ascending' ? ArrowUp : ArrowDown
  return (
    <tr>
      <th scope="col" aria-sort={sort === 'name' ? 'ascending' : undefined} className={head}>
        {renderSort(
          sort === 'name' ? 'usual' : 'name',
          <>
            Name
            {sort === 'name' ? (
              <ArrowUp aria-hidden="true" className="size-4" />
            ) : (
              <ArrowUpDown aria-hidden="true" className="size-4" />
            )}
          </>,
        )}
      </th>
      <th scope="col" className={head}>
        Registration
      </th>
      <th scope="col" className={head}>
        Status
      </th>
      {isFull && (
        <>
          <th scope="col" className={head}>
            Email
          </th>
          <th scope="col" aria-sort={isByDate ? direction : undefined} className={head}>
            {renderSort(
              isByDate && direction === 'descending' ? 'oldest' : 'newest',
              <>
                {dateWords[list]}
                {isByDate ? (
                  <Arrow aria-hidden="true" className="size-4" />
                ) : (
                  <ArrowUpDown aria-hidden="true" className="size-4" />
                )}
              </>,
            )}
          </th>
        </>
      )}
    </tr>
  )
}

/** Where there is room for it. */
function Table(props: RowsProps) {
  const { page, input, isFull } = props
  return (
    <div className="rounded-card border border-line bg-surface @max-4xl:hidden">
      <table className="w-full border-separate border-spacing-0 [&_th:first-child]:rounded-tl-card [&_th:last-child]:rounded-tr-card">
        <caption className="sr-only">Providers</caption>
        <thead>
          <Heads {...props} />
        </thead>
        <tbody>
          {page.providers.map((row) => (
            <tr key={row.providerId} className="group hover:bg-sunken/60">
              <td className={`${cell} min-w-48`}>
                <NameLink row={row} list={input.list} />
                <Where row={row} />
              </td>
              <td className={`${cell} tabular whitespace-nowrap`}>
                <Registration row={row} />
              </td>
              <td className={cell}>
                <Status row={row} />
              </td>
              {isFull && (
                <>
                  <td className={`${cell} text-sm wrap-anywhere`}>
                    <Email address={row.email} />
                  </td>
                  <td className={`${cell} tabular whitespace-nowrap`}>
                    {row.at === null ? '' : dayWords(row.at)}
                  </td>
                </>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** The same on phones and tablets: a card for each row. */
function Cards({ page, input, isFull }: RowsProps) {
  return (
    <ul className="flex flex-col gap-3 @4xl:hidden" aria-label="Providers">
      {page.providers.map((row) => (
        <li key={row.providerId} className="rounded-card border border-line bg-surface p-4">
          <NameLink row={row} list={input.list} />
          <Where row={row} />
          <p className="mt-2">
            <Status row={row} />
          </p>
          <dl className="tabular mt-3 grid grid-cols-2 gap-x-4 gap-y-2">
            <div>
              <dt className="text-sm text-muted">Registration</dt>
              <dd>
                <Registration row={row} />
              </dd>
            </div>
            {isFull && row.at !== null && (
              <div>
                <dt className="text-sm text-muted">{dateWords[input.list]}</dt>
                <dd>{dayWords(row.at)}</dd>
              </div>
            )}
            {isFull && (
              <div className="col-span-2">
                <dt className="text-sm text-muted">Email</dt>
                <dd className="wrap-anywhere">
                  <Email address={row.email} />
                </dd>
              </div>
            )}
          </dl>
        </li>
      ))}
    </ul>
  )
}

/** A page of providers: a table, or cards where a table has no room. */
export function ProviderRows(props: RowsProps) {
  return (
    <div className="@container">
      <Table {...props} />
      <Cards {...props} />
    </div>
  )
}
