import { keepPreviousData } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useId, useState } from 'react'
import { visitMoment } from '#app/lib/visit-text.ts'
import { trpc } from '#app/trpc.ts'
import { Button, textLinkClass } from '#app/ui/button.tsx'
import { TextInput } from '#app/ui/fields.tsx'
import { Badge, LoadNotice } from '#app/ui/notice.tsx'
import { Card } from '#app/ui/page.tsx'
import { Pagination } from '#app/ui/pagination.tsx'
import { deskKindLabels, type DeskList as Found } from '#contract/booking-desk.ts'

type Row = Found['visits'][number]

function outcomeText({ state, outcome }: Row): string | null {
  if (state === 'cancelled') return 'Cancelled'
  if (outcome === 'no_show') return 'No-show'
  return outcome === 'completed' ? 'Completed' : null
}

function Line({ row }: { row: Row }) {
  const became = outcomeText(row)
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2.5">
      <span className="tabular w-40 text-muted">{visitMoment(row.startsAt, row.timeZone)}</span>
      <Link
        to="/doctor/visits/$visitId"
        params={{ visitId: row.id }}
        className={`${textLinkClass} inline-flex min-h-6 items-center font-semibold wrap-anywhere`}
      >
        {row.name ?? 'Name no longer kept'}
      </Link>
      <Badge>{deskKindLabels[row.kind]}</Badge>
      {became !== null && <span className="text-sm text-muted">{became}</span>}
      <span className="tabular ml-auto text-sm text-muted select-all">{row.reference}</span>
    </li>
  )
}

function countText({ total }: Found, search: string): string {
  if (total === 0) return search === '' ? 'None yet.' : 'No visit matches.'
  return total === 1 ? '1 visit' : `${total.toLocaleString('en-GB')} visits`
}

/** Visits added by phone or at the desk: without payments here, they have a separate list. */
export function DeskList() {
  const id = useId()
  const [typed, setTyped] = useState('')
  const [wanted, setWanted] = useState({ page: 1, search: '' })
  const { data, error, refetch, isPlaceholderData } = trpc.booking.deskList.useQuery(wanted, {
    placeholderData: keepPreviousData,
  })
  // Without any desk visits there is nothing to search.
  if (data === undefined || (data.total === 0 && wanted.search === '')) {
    return (
      error && (
        <LoadNotice
          title="Phone and walk-in visits didn’t load"
          error={error}
          onRetry={() => void refetch()}
        />
      )
    )
  }
  return (
    <section aria-labelledby={`${id}-title`} className="no-print mt-10">
      <Card>
        <h2 id={`${id}-title`} className="text-xl font-semibold">
          Phone and walk-in visits
        </h2>
        <p className="mt-1 text-muted">You added these yourself. Nothing was paid for them here.</p>
        <form
          role="search"
          aria-label="Phone and walk-in visits"
          className="mt-4 flex flex-wrap items-end gap-3"
          onSubmit={(event) => {
            event.preventDefault()
            setWanted({ page: 1, search: typed.trim() })
          }}
        >
          <TextInput
            id={`${id}-search`}
            label="Name, phone or reference"
            className="w-72 max-w-full"
            value={typed}
            maxLength={100}
            onChange={({ target }) => setTyped(target.value)}
          />
          <Button type="submit" variant="secondary">
            Search
          </Button>
          {wanted.search !== '' && (
            <Button
              variant="quiet"
              onClick={() => {
                setTyped('')
                setWanted({ page: 1, search: '' })
              }}
            >
              Clear
            </Button>
          )}
        </form>
        <p role="status" className="tabular mt-4 text-sm text-muted">
          {countText(data, wanted.search)}
        </p>
        <ol className={`divide-y divide-line ${isPlaceholderData ? 'opacity-60' : ''}`}>
          {data.visits.map((row) => (
            <Line key={row.id} row={row} />
          ))}
        </ol>
        <div className="mt-4 empty:hidden max-sm:-mx-4">
          <Pagination
            page={wanted.page}
            pages={data.total_pages}
            label="Phone and walk-in visits by page"
            renderLink={(page, props) => (
              <button type="button" onClick={() => setWanted({ ...wanted, page })} {...props} />
            )}
          />
        </div>
      </Card>
    </section>
  )
}
