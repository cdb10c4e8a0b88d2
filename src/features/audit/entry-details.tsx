import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { AuditEntry } from '#contract/audit.ts'

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
export function EntryDetails({ entry }: { entry: AuditEntry }) {
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
