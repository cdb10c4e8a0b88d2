import { Link } from '@tanstack/react-router'
import { ChevronDown } from 'lucide-react'
import { useState } from 'react'
import { cx } from '#app/lib/cx.ts'
import { CardFact, type Column, DataTable } from '#app/ui/data-table.tsx'
import { Badge } from '#app/ui/notice.tsx'
import type { AuditEntry } from '#contract/audit.ts'
import {
  entryActor,
  entryDetails,
  entrySubject,
  entryText,
  entryTime,
  outcomeLabels,
} from './action-labels.ts'

/** Entries of one account further apart than this are not grouped. */
const GROUP_WINDOW_MS = 60_000

function belongsToGroup(entry: AuditEntry, newest: AuditEntry): boolean {
  if (entry.requestId !== '' && entry.requestId === newest.requestId) return true
  const { actor } = entry
  if (actor.id === null || actor.id !== newest.actor.id) return false
  return Date.parse(newest.at) - Date.parse(entry.at) <= GROUP_WINDOW_MS
}

/** Merges consecutive entries with the same wording and counts them. */
export function countRepeats(
  entries: readonly AuditEntry[],
  textOf: (entry: AuditEntry) => string,
): { entry: AuditEntry; times: number }[] {
  const counted: { entry: AuditEntry; times: number }[] = []
  for (const entry of entries) {
    const last = counted.at(-1)
    if (last !== undefined && textOf(last.entry) === textOf(entry)) last.times += 1
    else counted.push({ entry, times: 1 })
  }
  return counted
}

/** Groups consecutive entries of one request, or of one account within a minute. Newest first. */
export function groupEntries(entries: readonly AuditEntry[]): [AuditEntry, ...AuditEntry[]][] {
  const groups: [AuditEntry, ...AuditEntry[]][] = []
  for (const entry of entries) {
    const group = groups.at(-1)
    if (group !== undefined && belongsToGroup(entry, group[0])) group.push(entry)
    else groups.push([entry])
  }
  return groups
}

/** Entries shown together, newest first. */
type Group = ReturnType<typeof groupEntries>[number]

/** Actions of a group shown while it is collapsed. */
const COLLAPSED_COUNT = 3

type ToggleProps = {
  entry: AuditEntry
  isOpen: boolean
  onToggle: () => void
  /** Id of the element it expands. */
  controls: string
}

function Toggle({ entry, isOpen, onToggle, controls }: ToggleProps) {
  return (
    <button
      type="button"
      aria-expanded={isOpen}
      aria-controls={controls}
      aria-label={`Details: ${entryText(entry)}, ${entryTime(entry.at)}`}
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

function ActionCell({ entry, times }: { entry: AuditEntry; times: number }) {
  const about = entrySubject(entry)
  return (
    <>
      <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <span className="font-semibold wrap-anywhere">{entryText(entry)}</span>
        {times > 1 && <span className="tabular text-muted">{times} times</span>}
        {entry.outcome !== 'ok' && <Badge tone="accent">{outcomeLabels[entry.outcome]}</Badge>}
      </span>
      {about !== null && <span className="block text-muted wrap-anywhere">{about}</span>}
    </>
  )
}

/** The actions of one group, one below the other. */
function GroupActions({ group }: { group: Group }) {
  const actions = countRepeats(group, (one) =>
    [entryText(one), entrySubject(one), one.outcome].join(' '),
  )
  const shown = actions.length > COLLAPSED_COUNT + 1 ? actions.slice(0, COLLAPSED_COUNT) : actions
  const more = actions.length - shown.length
  return (
    <div className="flex flex-col gap-2">
      {shown.map(({ entry, times }) => (
        <div key={entry.id}>
          <ActionCell entry={entry} times={times} />
        </div>
      ))}
      {more > 0 && <p className="text-muted">and {more} more</p>}
    </div>
  )
}

/** Log entries, grouped by request or time. Each expands to show all its details. */
export function Entries({ entries }: { entries: readonly AuditEntry[] }) {
  const groups = groupEntries(entries)
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const toggleOf = ([entry]: Group, controls: string) => (
    <Toggle
      entry={entry}
      controls={controls}
      isOpen={open.has(entry.id)}
      onToggle={() => {
        const next = new Set(open)
        if (!next.delete(entry.id)) next.add(entry.id)
        setOpen(next)
      }}
    />
  )
  const rowId = ([{ id }]: Group) => `row-${id}`
  const columns: Column<Group>[] = [
    {
      key: 'time',
      head: 'Time (UTC)',
      cellClass: 'tabular whitespace-nowrap text-muted',
      renderCell: ([{ at }]) => entryTime(at),
    },
    { key: 'what', head: 'What', renderCell: (group) => <GroupActions group={group} /> },
    {
      key: 'who',
      head: 'Who',
      cellClass: 'wrap-anywhere',
      renderCell: ([entry]) => entryActor(entry),
    },
    {
      key: 'details',
      head: <span className="sr-only">Details</span>,
      cellClass: 'py-1! text-right',
      renderCell: (group) => toggleOf(group, rowId(group)),
    },
  ]
  return (
    <DataTable
      caption="Audit log"
      columns={columns}
      rows={groups}
      keyOf={([{ id }]) => id}
      from="3xl"
      details={{
        id: rowId,
        isOpen: ([{ id }]) => open.has(id),
        render: (group) => <GroupDetails group={group} />,
      }}
      renderCard={(group) => {
        const [entry] = group
        const controls = `card-${entry.id}`
        const isOpen = open.has(entry.id)
        return (
          <>
            <GroupActions group={group} />
            <p className="mt-2 wrap-anywhere">{entryActor(entry)}</p>
            <div className="flex items-center justify-between gap-3">
              <p className="tabular text-sm text-muted">{entryTime(entry.at)}</p>
              {toggleOf(group, controls)}
            </div>
            <div id={controls} hidden={!isOpen} className="mt-2 border-t border-line pt-3">
              {isOpen && <GroupDetails group={group} />}
            </div>
          </>
        )
      }}
    />
  )
}

const linkClass = 'font-semibold text-brand-deep underline underline-offset-[0.2em]'

function GroupDetails({ group }: { group: Group }) {
  const isOne = group.length === 1
  return (
    <div className="flex flex-col gap-6">
      {group.map((entry) => (
        <div key={entry.id}>
          {!isOne && (
            <p className="mb-2 font-semibold wrap-anywhere">
              {entryText(entry)}{' '}
              <span className="tabular font-normal whitespace-nowrap text-muted">
                {entryTime(entry.at)}
              </span>
            </p>
          )}
          <EntryDetails entry={entry} />
        </div>
      ))}
    </div>
  )
}

/** All details of an entry, with links to filter by the same values. */
function EntryDetails({ entry }: { entry: AuditEntry }) {
  const { actor, entity } = entry
  return (
    <div className="flex flex-col gap-4">
      <dl className="tabular grid gap-x-6 gap-y-3 *:min-w-0 @md:grid-cols-2 @4xl:grid-cols-3 [&_dd]:wrap-anywhere [&_dt]:first-letter:uppercase">
        <CardFact name="Entry">{entry.id}</CardFact>
        <CardFact name="Action">{entry.action}</CardFact>
        <CardFact name="Account">
          {actor.id === null ? actor.kind : `${actor.kind} ${actor.id}`}
        </CardFact>
        {entity !== null && <CardFact name="About">{entity}</CardFact>}
        <CardFact name="Network">{entry.network === '' ? 'none' : entry.network}</CardFact>
        <CardFact name="Request">{entry.requestId}</CardFact>
        <CardFact name="Place in the chain">
          {entry.position === null ? 'No checksum yet' : entry.position.toLocaleString('en-GB')}
        </CardFact>
        {entryDetails(entry).map(([name, value]) => (
          <CardFact key={name} name={name}>
            {value}
          </CardFact>
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
