import { Link } from '@tanstack/react-router'
import { ChevronDown } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { cx } from '#app/lib/cx.ts'
import { Badge } from '#app/ui/badge.tsx'
import { type Column, DataTable } from '#app/ui/data-table.tsx'
import type { AuditEntry } from '#contract/audit.ts'
import { entryAbout, entryActor, entryTime, outcomeWords, wordsOfAction } from './action-words.ts'

type ToggleProps = {
  entry: AuditEntry
  isOpen: boolean
  onToggle: () => void
  /** Id of what it opens. */
  controls: string
}

function Toggle({ entry, isOpen, onToggle, controls }: ToggleProps) {
  return (
    <button
      type="button"
      aria-expanded={isOpen}
      aria-controls={controls}
      aria-label={`Details: ${wordsOfAction(entry.action)}, ${entryTime(entry.at)}`}
      onClick={onToggle}
      className="inline-flex min-h-11 items-center gap-1 rounded-field px-2 font-semibold text-brand-deep hover:bg-tint"
    >
      Details
      <ChevronDown
        aria-hidden="true"
        className={cx('size-4.5 transition-transform duration-150', isOpen && 'rotate-180')}
      />
    </button>
  )
}

function What({ entry }: { entry: AuditEntry }) {
  const about = entryAbout(entry)
  return (
    <>
      <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <span className="font-semibold">{wordsOfAction(entry.action)}</span>
        {entry.outcome !== 'ok' && <Badge tone="accent">{outcomeWords[entry.outcome]}</Badge>}
      </span>
      {about !== null && <span className="block text-muted wrap-anywhere">{about}</span>}
    </>
  )
}

/** Entries of the log. Each opens to show all it holds. */
export function Entries({ entries }: { entries: readonly AuditEntry[] }) {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const toggleOf = (entry: AuditEntry, controls: string) => (
    <Toggle
      entry={entry}
      controls={controls}
      isOpen={open.has(entry.id)}
      onToggle={() => setOpen(open.symmetricDifference(new Set([entry.id])))}
    />
  )
  const rowId = ({ id }: AuditEntry) => `row-${id}`
  const columns: Column<AuditEntry>[] = [
    {
      key: 'time',
      head: 'Time (UTC)',
      cellClass: 'tabular whitespace-nowrap text-muted',
      renderCell: ({ at }) => entryTime(at),
    },
    { key: 'what', head: 'What', renderCell: (entry) => <What entry={entry} /> },
    { key: 'who', head: 'Who', cellClass: 'wrap-anywhere', renderCell: entryActor },
    {
      key: 'details',
      head: <span className="sr-only">Details</span>,
      cellClass: 'py-1! text-right',
      renderCell: (entry) => toggleOf(entry, rowId(entry)),
    },
  ]
  return (
    <DataTable
      caption="Audit log"
      columns={columns}
      rows={entries}
      keyOf={({ id }) => id}
      from="3xl"
      details={{
        id: rowId,
        isOpen: ({ id }) => open.has(id),
        render: (entry) => <EntryDetails entry={entry} />,
      }}
      renderCard={(entry) => {
        const controls = `card-${entry.id}`
        const isOpen = open.has(entry.id)
        return (
          <>
            <What entry={entry} />
            <p className="mt-2 wrap-anywhere">{entryActor(entry)}</p>
            <div className="flex items-center justify-between gap-3">
              <p className="tabular text-sm text-muted">{entryTime(entry.at)}</p>
              {toggleOf(entry, controls)}
            </div>
            <div id={controls} hidden={!isOpen} className="mt-2 border-t border-line pt-3">
              {isOpen && <EntryDetails entry={entry} />}
            </div>
          </>
        )
      }}
    />
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-sm text-muted">{name}</dt>
      <dd className="wrap-anywhere">{children}</dd>
    </div>
  )
}

const linkClass = 'font-semibold text-brand-deep underline underline-offset-[0.2em]'

/** Everything an entry holds, with the ways to what else there is about the same. */
function EntryDetails({ entry }: { entry: AuditEntry }) {
  const { actor, entity, details } = entry
  return (
    <div className="flex flex-col gap-4">
      <dl className="tabular grid gap-x-6 gap-y-3 @md:grid-cols-2 @4xl:grid-cols-3">
        <Fact name="Entry">{entry.id}</Fact>
        <Fact name="Action">{entry.action}</Fact>
        <Fact name="Account">{actor.id === null ? actor.kind : `${actor.kind} ${actor.id}`}</Fact>
        {entity !== null && <Fact name="About">{entity}</Fact>}
        <Fact name="Network">{entry.network === '' ? 'none' : entry.network}</Fact>
        <Fact name="Request">{entry.requestId}</Fact>
        <Fact name="Place in the chain">
          {entry.position === null ? 'Not sealed yet' : entry.position.toLocaleString('en-GB')}
        </Fact>
        {Object.entries(details).map(([name, value]) => (
          <Fact key={name} name={name}>
            {String(value)}
          </Fact>
        ))}
      </dl>
      <p className="flex flex-wrap gap-x-6 gap-y-2">
        {actor.id !== null && (
          <Link to="/admin-home/audit" search={{ actor: actor.id }} className={linkClass}>
            Everything by this account
          </Link>
        )}
        {entity !== null && (
          <Link to="/admin-home/audit" search={{ entity }} className={linkClass}>
            Everything about this
          </Link>
        )}
      </p>
    </div>
  )
}
