import { Link } from '@tanstack/react-router'
import { ChevronDown } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { cx } from '#app/lib/cx.ts'
import { Badge } from '#app/ui/badge.tsx'
import type { AuditEntry } from '#contract/audit.ts'
import { entryAbout, entryActor, entryTime, outcomeWords, wordsOfAction } from './action-words.ts'

type RowProps = { entry: AuditEntry; isOpen: boolean; onToggle: () => void }

function Toggle({ entry, isOpen, onToggle, controls }: RowProps & { controls: string }) {
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
        strokeWidth={1.75}
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

const head =
  'border-b border-line bg-sunken px-4 py-3 text-left text-sm font-semibold whitespace-nowrap text-muted'
const cell = 'px-4 py-2.5 align-top border-t border-line group-first:border-t-0'

function TableRow(props: RowProps) {
  const { entry, isOpen } = props
  const controls = `row-${entry.id}`
  return (
    <tbody className="group">
      <tr>
        <td className={`${cell} tabular pt-4 whitespace-nowrap text-muted`}>
          {entryTime(entry.at)}
        </td>
        <td className={`${cell} pt-4`}>
          <What entry={entry} />
        </td>
        <td className={`${cell} pt-4 wrap-anywhere`}>{entryActor(entry)}</td>
        <td className={`${cell} text-right`}>
          <Toggle {...props} controls={controls} />
        </td>
      </tr>
      <tr id={controls} hidden={!isOpen}>
        <td colSpan={4} className="border-t border-line bg-sunken px-4 py-4">
          {isOpen && <EntryDetails entry={entry} />}
        </td>
      </tr>
    </tbody>
  )
}

function Card(props: RowProps) {
  const { entry, isOpen } = props
  const controls = `card-${entry.id}`
  return (
    <li className="rounded-card border border-line bg-surface p-4">
      <What entry={entry} />
      <p className="mt-2 wrap-anywhere">{entryActor(entry)}</p>
      <div className="flex items-center justify-between gap-3">
        <p className="tabular text-sm text-muted">{entryTime(entry.at)}</p>
        <Toggle {...props} controls={controls} />
      </div>
      <div id={controls} hidden={!isOpen} className="mt-2 border-t border-line pt-3">
        {isOpen && <EntryDetails entry={entry} />}
      </div>
    </li>
  )
}

/** Entries of the log: a table, or cards on phones. Each opens to show all it holds. */
export function Entries({ entries }: { entries: readonly AuditEntry[] }) {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const toggle = (id: string) => setOpen(open.symmetricDifference(new Set([id])))
  const rowProps = (entry: AuditEntry) => ({
    entry,
    isOpen: open.has(entry.id),
    onToggle: () => toggle(entry.id),
  })
  return (
    <div className="@container">
      <div className="overflow-hidden rounded-card border border-line bg-surface @max-3xl:hidden">
        <table className="w-full border-separate border-spacing-0">
          <caption className="sr-only">Audit log</caption>
          <thead>
            <tr>
              {['Time (UTC)', 'What', 'Who'].map((name) => (
                <th key={name} scope="col" className={head}>
                  {name}
                </th>
              ))}
              <th scope="col" className={head}>
                <span className="sr-only">Details</span>
              </th>
            </tr>
          </thead>
          {entries.map((entry) => (
            <TableRow key={entry.id} {...rowProps(entry)} />
          ))}
        </table>
      </div>
      <ol aria-label="Audit log" className="flex flex-col gap-3 @3xl:hidden">
        {entries.map((entry) => (
          <Card key={entry.id} {...rowProps(entry)} />
        ))}
      </ol>
    </div>
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
