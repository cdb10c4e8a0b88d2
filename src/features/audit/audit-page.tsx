import { Link, useNavigate } from '@tanstack/react-router'
import { Download } from 'lucide-react'
import { useId } from 'react'
import { describeFailure } from '#app/lib/errors.ts'
import { RoleReason, useWhyNot } from '#app/parts/role-gate.tsx'
import { StaffHeading } from '#app/parts/staff-heading.tsx'
import { Button } from '#app/ui/button.tsx'
import { buttonClass } from '#app/ui/button-class.ts'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { ErrorState } from '#app/ui/error-state.tsx'
import { LiveRegion } from '#app/ui/live-region.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import type { AuditInput } from '#contract/audit.ts'
import { type AuditAddress, auditInput, withoutPlace } from './audit-address.ts'
import { AuditFilters } from './audit-filters.tsx'
import { ChainCheck } from './chain-check.tsx'
import { Entries } from './entries.tsx'
import { useAudit, useAuditExport } from './use-audit.ts'

function Waiting() {
  return (
    <div aria-busy="true" className="flex flex-col gap-3">
      {[1, 2, 3, 4, 5, 6].map((row) => (
        <Skeleton key={row} className="h-24 md:h-14" />
      ))}
    </div>
  )
}

function Pages({ input, next }: { input: AuditInput; next: string | null }) {
  const filters = withoutPlace(input)
  if (input.before === undefined && next === null) return null
  return (
    <nav aria-label="Pages" className="mt-6 flex flex-wrap justify-center gap-3">
      {input.before !== undefined && (
        <Link to="/admin-home/audit" search={filters} className={buttonClass('secondary')}>
          Newest entries
        </Link>
      )}
      {next !== null && (
        <Link
          to="/admin-home/audit"
          search={{ ...filters, before: next }}
          className={buttonClass('secondary')}
        >
          Older entries
        </Link>
      )}
    </nav>
  )
}

type LogProps = { input: AuditInput; onClear: () => void }

function Log({ input, onClear }: LogProps) {
  const { data, error, refetch, isPlaceholderData } = useAudit(input, true)
  const isNarrowed = Object.keys(input).length > 0
  if (data === undefined && error) {
    const { sentence, reference } = describeFailure(error)
    return (
      <ErrorState
        title="The log did not load"
        sentence={sentence}
        reference={reference}
        actions={<Button onClick={() => void refetch()}>Try again</Button>}
      />
    )
  }
  if (data === undefined) return <Waiting />
  const { entries, next } = data
  if (entries.length === 0) {
    return (
      <EmptyState
        title="No entries found."
        actions={
          isNarrowed && (
            <Button variant="secondary" onClick={onClear}>
              Clear the filters
            </Button>
          )
        }
      />
    )
  }
  const count = entries.length === 1 ? '1 entry' : `${entries.length} entries`
  return (
    <div
      aria-busy={isPlaceholderData}
      className={isPlaceholderData ? 'opacity-60 transition-opacity' : ''}
    >
      <LiveRegion text={`${count} shown`} />
      <p className="tabular mb-3 text-muted">
        {count}, the newest first{next === null ? '' : '; there are older ones'}
      </p>
      <Entries entries={entries} />
      <Pages input={input} next={next} />
    </div>
  )
}

/** `/admin-home/audit`: who did what. Filters and place are in the address. */
export function AuditPage({ address }: { address: AuditAddress }) {
  const reasonId = useId()
  const navigate = useNavigate()
  const isBarred = useWhyNot('readAudit') !== null
  const exporting = useAuditExport()
  const input = auditInput(address)
  const filters = withoutPlace(input)
  const apply = (wanted: AuditAddress) =>
    void navigate({ to: '/admin-home/audit', search: withoutPlace(auditInput(wanted)) })
  return (
    <>
      <StaffHeading
        title="Audit log"
        lead="Who did what, when and from where. Nothing in it can be changed."
        aside={
          <Button
            variant="secondary"
            disabled={isBarred}
            {...(isBarred && { 'aria-describedby': reasonId })}
            isBusy={exporting.isPending}
            onClick={() => exporting.mutate(filters)}
          >
            <Download aria-hidden="true" strokeWidth={1.75} className="size-5" />
            Export CSV
          </Button>
        }
      />
      <RoleReason act="readAudit" id={reasonId} className="mt-4" />
      {!isBarred && (
        <div className="mt-6 flex flex-col gap-6">
          <AuditFilters filters={filters} onApply={apply} />
          <Log input={input} onClear={() => apply({})} />
          <ChainCheck />
        </div>
      )}
    </>
  )
}
