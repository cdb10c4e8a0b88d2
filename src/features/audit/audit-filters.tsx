import { SlidersHorizontal } from 'lucide-react'
import { useState } from 'react'
import type { RegisterOptions } from 'react-hook-form'
import { cx } from '#app/lib/cx.ts'
import { useFilterForm } from '#app/lib/forms/use-filter-form.ts'
import { Button } from '#app/ui/button.tsx'
import { Select, TextInput } from '#app/ui/fields.tsx'
import { Checkbox } from '#app/ui/form-controls.tsx'
import {
  AuditActorKind,
  AuditInput,
  AuditOutcome,
  FILTER_TEXT_MAX,
  type AuditFilters as Filters,
} from '#contract/audit.ts'
import { auditActions } from '#contract/audit-actions.ts'
import { outcomeLabels } from './action-labels.ts'

/** Query parameters of the audit log: filters and cursor, each omitted at its default. */
export type AuditSearch = {
  action?: string | undefined
  outcome?: string | undefined
  kind?: string | undefined
  actor?: string | undefined
  entity?: string | undefined
  from?: string | undefined
  to?: string | undefined
  reads?: string | undefined
  before?: string | undefined
}

const FILTER_NAMES = [
  'action',
  'outcome',
  'kind',
  'actor',
  'entity',
  'from',
  'to',
  'reads',
  'before',
] as const

/** The request for a URL; invalid parameters are dropped. */
export function auditInput(address: AuditSearch): AuditInput {
  const valid: Record<string, string> = {}
  for (const name of FILTER_NAMES) {
    const value = address[name]
    if (typeof value !== 'string' || value.trim() === '') continue
    if (AuditInput.shape[name].safeParse(value).success) valid[name] = value.trim()
  }
  return AuditInput.parse(valid)
}

/** The filters without the cursor. */
export function withoutCursor(input: AuditInput): Filters {
  const { before: _, ...filters } = input
  return filters
}

const KINDS = AuditActorKind.options
const OUTCOMES = AuditOutcome.options

const actorKindLabels = {
  visitor: 'Visitors',
  patient: 'Patients',
  provider: 'Providers',
  staff: 'Staff',
  system: 'The system',
} as const

type Draft = Record<Exclude<keyof AuditSearch, 'before'>, string>

function draftOf(filters: Filters): Draft {
  const blank = {
    action: '',
    outcome: '',
    kind: '',
    actor: '',
    entity: '',
    from: '',
    to: '',
    reads: '',
  }
  const given = Object.entries(filters).filter(([, value]) => value !== undefined)
  return { ...blank, ...Object.fromEntries(given) }
}

type AuditFiltersProps = { filters: Filters; onApply: (address: AuditSearch) => void }

/** The log's filters, applied only with the Show button. */
export function AuditFilters({ filters, onApply }: AuditFiltersProps) {
  const { id, form, field } = useFilterForm(draftOf(filters))
  const toRules: RegisterOptions<Draft, 'to'> = {
    validate: (to, { from }) =>
      from === '' || to === '' || to >= from || 'The last day must not be before the first.',
  }
  const textRules = {
    maxLength: { value: FILTER_TEXT_MAX, message: `Use at most ${FILTER_TEXT_MAX} characters.` },
  }
  const hasFilters = Object.keys(filters).length > 0
  // On phones the log itself comes first.
  const [isOpen, setOpen] = useState(hasFilters)
  return (
    <form
      noValidate
      aria-label="Filters"
      onSubmit={(event) => void form.handleSubmit(onApply)(event)}
      className="@container rounded-card border border-line bg-surface p-4 sm:p-5"
    >
      <Button
        variant="quiet"
        aria-expanded={isOpen}
        aria-controls={`${id}-fields`}
        onClick={() => setOpen(!isOpen)}
        className="-my-2 w-full justify-start! px-0! @md:hidden"
      >
        <SlidersHorizontal aria-hidden="true" className="size-5" />
        Filters
      </Button>
      <div
        id={`${id}-fields`}
        className={cx('mt-4 flex-col gap-3 @md:mt-0 @md:flex', isOpen ? 'flex' : 'hidden')}
      >
        <div className="grid items-end gap-4 @md:grid-cols-2 @4xl:grid-cols-4">
          <Select label="Action" {...field('action')}>
            <option value="">All actions</option>
            {Object.entries(auditActions).map(([heading, actions]) => (
              <optgroup key={heading} label={heading}>
                {Object.entries(actions).map(([action, label]) => (
                  <option key={action} value={action}>
                    {label}
                  </option>
                ))}
              </optgroup>
            ))}
          </Select>
          <Select label="Outcome" {...field('outcome')}>
            <option value="">All outcomes</option>
            {OUTCOMES.map((outcome) => (
              <option key={outcome} value={outcome}>
                {outcomeLabels[outcome]}
              </option>
            ))}
          </Select>
          <Select label="Who" {...field('kind')}>
            <option value="">Everyone</option>
            {KINDS.map((kind) => (
              <option key={kind} value={kind}>
                {actorKindLabels[kind]}
              </option>
            ))}
          </Select>
          <TextInput
            label="Account"
            placeholder="Staff email or id"
            autoCapitalize="none"
            spellCheck={false}
            error={form.formState.errors.actor?.message}
            {...field('actor', textRules)}
          />
          <TextInput
            label="About"
            placeholder="Id, call or staff email"
            autoCapitalize="none"
            spellCheck={false}
            error={form.formState.errors.entity?.message}
            {...field('entity', textRules)}
          />
          <TextInput type="date" label="From" {...field('from')} />
          <TextInput
            type="date"
            label="To"
            error={form.formState.errors.to?.message}
            {...field('to', toRules)}
          />
          <div className="flex flex-wrap gap-3">
            <Button type="submit">Show</Button>
            {hasFilters && (
              <Button variant="quiet" onClick={() => onApply({})}>
                Clear
              </Button>
            )}
          </div>
        </div>
        <div className="flex flex-wrap items-center justify-between gap-x-6">
          <Checkbox
            label="Include view-only actions"
            checked={form.getValues('reads') === 'show'}
            onChange={({ currentTarget: { checked } }) =>
              form.setValue('reads', checked ? 'show' : '')
            }
          />
          <p className="text-sm text-muted">Days and times are in UTC.</p>
        </div>
      </div>
    </form>
  )
}
