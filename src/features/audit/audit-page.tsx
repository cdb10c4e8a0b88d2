import { useMutation } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { Download } from 'lucide-react'
import { useDeferredValue, useId, useState } from 'react'
import * as z from 'zod/mini'
import { describeFailure } from '#app/lib/errors.ts'
import { fetchFile, saveFile } from '#app/lib/files.ts'
import { useForm } from '#app/lib/forms/use-form.ts'
import { StaffHeading } from '#app/parts/dashboard-frame.tsx'
import { DataBoundary } from '#app/parts/data-boundary.tsx'
import { RoleReason, useStaffRefusal } from '#app/parts/role-guard.tsx'
import { useStepUp } from '#app/parts/step-up.tsx'
import { trpc } from '#app/trpc.ts'
import { Button, buttonClass, Summary } from '#app/ui/button.tsx'
import { TextInput } from '#app/ui/fields.tsx'
import { FormFrame } from '#app/ui/form-frame.tsx'
import { EmptyState, Notice } from '#app/ui/notice.tsx'
import { LiveRegion, PendingShapes } from '#app/ui/page.tsx'
import { showToast } from '#app/ui/toast.tsx'
import {
  AUDIT_EXPORT_PATH,
  type AuditInput,
  type AuditVerdict,
  type AuditFilters as Filters,
} from '#contract/audit.ts'
import { entryTime } from './action-labels.ts'
import { AuditFilters, type AuditSearch, auditInput, withoutCursor } from './audit-filters.tsx'
import { Entries } from './entries.tsx'

const SKELETON_SHAPES = Array.from({ length: 6 }, () => 'h-24 md:h-14')

function Pages({ input, next }: { input: AuditInput; next: string | null }) {
  const filters = withoutCursor(input)
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
  const prove = useStepUp()
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

type LogProps = { address: AuditSearch; onClear: () => void }

function Log({ address, onClear }: LogProps) {
  const input = auditInput(address)
  // While a page loads, the previous one stays visible, dimmed.
  const shown = useDeferredValue(address)
  const isStale = shown !== address
  const [{ entries, next }] = trpc.audit.list.useSuspenseQuery(auditInput(shown), { staleTime: 0 })
  const hasFilters = Object.keys(input).length > 0
  if (entries.length === 0) {
    return (
      <EmptyState
        title="No entries found."
        actions={
          hasFilters && (
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
export function AuditPage({ address }: { address: AuditSearch }) {
  const reasonId = useId()
  const navigate = useNavigate()
  const isBarred = useStaffRefusal('readAudit') !== null
  const exporting = useAuditExport()
  const filters = withoutCursor(auditInput(address))
  const apply = (wanted: AuditSearch) =>
    void navigate({ to: '/admin-home/audit', search: withoutCursor(auditInput(wanted)) })
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
            failed="The log didn’t load"
            pending={<PendingShapes className="flex flex-col gap-3" shapes={SKELETON_SHAPES} />}
          >
            <Log address={address} onClear={() => apply({})} />
          </DataBoundary>
          <IntegrityCheck />
        </div>
      )}
    </>
  )
}

const entryCountText = (count: number) =>
  `${count.toLocaleString('en-GB')} ${count === 1 ? 'entry' : 'entries'}`

function UnsealedEntries({ unsealed, unsealedSince }: AuditVerdict) {
  if (unsealed === 0 || unsealedSince === null) return <p>Every entry has its checksum.</p>
  return (
    <p>
      {entryCountText(unsealed)} {unsealed === 1 ? 'is' : 'are'} waiting for a checksum, since{' '}
      {entryTime(unsealedSince)} UTC.
    </p>
  )
}

function BrokenResult({ verdict }: { verdict: AuditVerdict }) {
  const { sealed, brokenAt, brokenRow } = verdict
  return (
    <Notice kind="danger" role="alert" title={`The log was changed at entry ${brokenAt}`}>
      <p className="wrap-anywhere">
        {brokenRow === null
          ? 'That entry and everything after it are gone.'
          : `The first entry that no longer matches its checksum is ${brokenRow}.`}
      </p>
      <p>Unchanged before that: {entryCountText(sealed)}.</p>
      <UnsealedEntries {...verdict} />
    </Notice>
  )
}

function IntactResult({ verdict }: { verdict: AuditVerdict }) {
  const { sealed, head } = verdict
  return (
    <Notice kind="ok" role="status" title="Log intact">
      <p>{entryCountText(sealed)} unchanged.</p>
      <UnsealedEntries {...verdict} />
      {head && (
        <p className="mt-2 wrap-anywhere">
          Keep this checksum somewhere safe, at entry {head.position.toLocaleString('en-GB')}:{' '}
          <code className="font-semibold">{head.seal}</code>
        </p>
      )}
    </Notice>
  )
}

/** Position and seal are entered together or not at all. */
const KnownHead = z
  .object({ position: z.string().check(z.trim()), seal: z.string().check(z.trim()) })
  .check(
    z.refine(
      ({ position, seal }) =>
        position === '' ? seal === '' : seal !== '' && /^[1-9]\d{0,14}$/.test(position),
      { error: 'Enter both the entry number and the checksum.', path: ['position'] },
    ),
  )

/** Verifies that the log is unaltered and, optionally, that it still contains a head noted earlier. */
function IntegrityCheck() {
  const id = useId()
  const { client } = trpc.useUtils()
  const [verdict, setVerdict] = useState<AuditVerdict | null>(null)
  const form = useForm({
    blank: { position: '', seal: '' },
    schema: KnownHead,
    send: ({ position, seal }) => {
      setVerdict(null)
      return client.audit.verify.mutate(
        position === '' ? {} : { known: { position: Number(position), seal } },
      )
    },
    onSent: setVerdict,
  })
  return (
    <section
      aria-labelledby={`${id}-title`}
      className="flex flex-col gap-4 rounded-card border border-line bg-surface p-4 sm:p-5"
    >
      <div>
        <h2 id={`${id}-title`} className="text-lg font-semibold">
          Log integrity
        </h2>
        <p className="max-w-prose text-muted">
          Each entry’s checksum includes the one before it, so any change or removal is detected.
        </p>
      </div>
      <FormFrame
        form={form}
        label="Check the log"
        failureTitle="We couldn’t check the log"
        className="@container max-w-none! gap-4!"
      >
        <details>
          <Summary>Compare with a checksum you saved earlier</Summary>
          <div className="mt-2 grid items-end gap-4 @md:grid-cols-[8rem_minmax(0,1fr)]">
            <TextInput label="Entry number" inputMode="numeric" {...form.text('position')} />
            <TextInput
              label="Checksum"
              autoCapitalize="none"
              spellCheck={false}
              {...form.text('seal')}
            />
          </div>
        </details>
        <Button type="submit" variant="secondary" isBusy={form.isBusy} className="self-start">
          Check the log
        </Button>
      </FormFrame>
      {verdict &&
        (verdict.brokenAt === null ? (
          <IntactResult verdict={verdict} />
        ) : (
          <BrokenResult verdict={verdict} />
        ))}
    </section>
  )
}
