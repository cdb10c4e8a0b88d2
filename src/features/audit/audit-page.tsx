import { useMutation } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { Download } from 'lucide-react'
import { useDeferredValue, useId } from 'react'
import { describeFailure } from '#app/lib/errors.ts'
import { fetchFile, saveFile } from '#app/lib/files.ts'
import { StaffHeading } from '#app/parts/dashboard-heading.tsx'
import { DataBoundary } from '#app/parts/data-boundary.tsx'
import { RoleReason, useWhyNot } from '#app/parts/role-gate.tsx'
import { useProving } from '#app/parts/step-up.tsx'
import { trpc } from '#app/trpc.ts'
import { Button, buttonClass } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { PendingShapes } from '#app/ui/skeleton.tsx'
import { LiveRegion } from '#app/ui/skip-link.tsx'
import { showToast } from '#app/ui/toast.tsx'
import {
  AUDIT_EXPORT_PATH,
  type AuditInput,
  type AuditFilters as Filters,
} from '#contract/audit.ts'
import { type AuditAddress, auditInput, withoutPlace } from './audit-address.ts'
import { AuditFilters } from './audit-filters.tsx'
import { ChainCheck } from './chain-check.tsx'
import { Entries } from './entries.tsx'

const ROWS = Array.from({ length: 6 }, () => 'h-24 md:h-14')

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

/** Downloads the filtered entries as a file, asking for step-up authentication unless it is recent. */
function useAuditExport() {
  const utils = trpc.useUtils()
  const prove = useProving()
  return useMutation({
    mutationFn: (filters: Filters) => prove(() => fetchFile(AUDIT_EXPORT_PATH, filters)),
    onSuccess: ({ name, content }) => {
      saveFile(name, content, 'text/csv;charset=utf-8')
      void showToast(`Saved as ${name}.`)
      void utils.audit.list.invalidate()
    },
    onError: (error) => {
      const { code, sentence } = describeFailure(error)
      if (code !== 'step_up_required') void showToast(sentence)
    },
  })
}

type LogProps = { address: AuditAddress; onClear: () => void }

function Log({ address, onClear }: LogProps) {
  const input = auditInput(address)
  // While a page loads, the previous one stays visible, dimmed.
  const shown = useDeferredValue(address)
  const isStale = shown !== address
  const [{ entries, next }] = trpc.audit.list.useSuspenseQuery(auditInput(shown), { staleTime: 0 })
  const isNarrowed = Object.keys(input).length > 0
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
    <div aria-busy={isStale} className={isStale ? 'opacity-60 transition-opacity' : ''}>
      <LiveRegion text={`${count} shown`} />
      <p className="tabular mb-3 text-muted">
        {count}, newest first{next === null ? '' : '; older entries follow'}
      </p>
      <Entries entries={entries} />
      <Pages input={input} next={next} />
    </div>
  )
}

/** `/admin-home/audit`: the audit log. Filters and cursor are in the URL. */
export function AuditPage({ address }: { address: AuditAddress }) {
  const reasonId = useId()
  const navigate = useNavigate()
  const isBarred = useWhyNot('readAudit') !== null
  const exporting = useAuditExport()
  const filters = withoutPlace(auditInput(address))
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
            <Download aria-hidden="true" className="size-5" />
            Export CSV
          </Button>
        }
      />
      <RoleReason act="readAudit" id={reasonId} className="mt-4" />
      {!isBarred && (
        <div className="mt-6 flex flex-col gap-6">
          <AuditFilters filters={filters} onApply={apply} />
          <DataBoundary
            failed="The log did not load"
            pending={<PendingShapes className="flex flex-col gap-3" shapes={ROWS} />}
          >
            <Log address={address} onClear={() => apply({})} />
          </DataBoundary>
          <ChainCheck />
        </div>
      )}
    </>
  )
}
