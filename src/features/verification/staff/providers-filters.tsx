import { ChevronDown } from 'lucide-react'
import { useMedia } from '#app/lib/browser-hooks.ts'
import { cx } from '#app/lib/cx.ts'
import { formatLocalDate } from '#app/lib/format/dates.ts'
import { useFilterForm } from '#app/lib/forms/use-filter-form.ts'
import { Button } from '#app/ui/button.tsx'
import { Select, TextInput } from '#app/ui/fields.tsx'
import { RemovableChip } from '#app/ui/notice.tsx'
import { readPage } from '#contract/base/paging.ts'
import { ProfessionalBody } from '#contract/base/people.ts'
import { Region } from '#contract/base/region.ts'
import { IsoDate } from '#contract/base/time.ts'
import { ProviderList, type ProvidersInput } from '#contract/verification-staff.ts'
import { dateLabels, regionLabels } from './staff-text.ts'

/** URL query parameters of a list of providers, each omitted at its default. */
export type ProvidersSearch = {
  list?: string
  search?: string
  region?: string
  body?: string
  from?: string
  to?: string
  sort?: string
  page?: string
}

/** A query parameter parsed by its schema; undefined if invalid. */
function parseParam<T>(
  schema: { safeParse(text: unknown): { success: true; data: T } | { success: false } },
  text: unknown,
): T | undefined {
  const read = schema.safeParse(text)
  return read.success ? read.data : undefined
}

/** Reads the query parameters; invalid ones count as absent. */
export function readProvidersSearch(address: ProvidersSearch): ProvidersInput {
  const { search = '', sort } = address
  return {
    list: parseParam(ProviderList, address.list) ?? 'all',
    search: search.trim().slice(0, 100),
    region: parseParam(Region, address.region),
    body: parseParam(ProfessionalBody, address.body),
    from: parseParam(IsoDate, address.from),
    to: parseParam(IsoDate, address.to),
    sort: sort === 'name' || sort === 'newest' || sort === 'oldest' ? sort : 'usual',
    page: readPage(address.page),
  }
}

/** URL query parameters for a list's input. */
export function toProvidersSearch(input: ProvidersInput): ProvidersSearch {
  const { list, search, region, body, from, to, sort, page } = input
  return {
    ...(list !== 'all' && { list }),
    ...(search !== '' && { search }),
    ...(region && { region }),
    ...(body && { body }),
    ...(from && { from }),
    ...(to && { to }),
    ...(sort !== 'usual' && { sort }),
    ...(page > 1 && { page: String(page) }),
  }
}

/** Whether any filter is set, other than list and order. */
export function hasFilters({ search, region, body, from, to }: ProvidersInput): boolean {
  return search !== '' || [region, body, from, to].some((one) => one !== undefined)
}

const bodyChoices: Record<ProfessionalBody, string> = {
  GMC: 'GMC, doctors',
  GDC: 'GDC, dentists',
  NPI: 'NPI, USA',
}

type Draft = { search: string; region: string; body: string; from: string; to: string }

function draftOf({ search, region, body, from, to }: ProvidersInput): Draft {
  return { search, region: region ?? '', body: body ?? '', from: from ?? '', to: to ?? '' }
}

type ListFiltersProps = {
  input: ProvidersInput
  onApply: (input: ProvidersInput) => void
  /** Email addresses and dates can be searched as well. */
  isFull: boolean
}

/** The filters of a list, applied on Search. */
export function ListFilters({ input, onApply, isFull }: ListFiltersProps) {
  const isWide = useMedia('(min-width: 48rem)')
  const { form, field } = useFilterForm(draftOf(input))
  const when = dateLabels[input.list]
  // Registration dates are visible only to roles that verify.
  const hasDays = isFull || input.list === 'verified'
  const more = (
    <>
      <Select {...field('region')} label="Region">
        <option value="">All</option>
        {Region.options.map((region) => (
          <option key={region} value={region}>
            {regionLabels[region]}
          </option>
        ))}
      </Select>
      <Select {...field('body')} label="Register">
        <option value="">All</option>
        {ProfessionalBody.options.map((body) => (
          <option key={body} value={body}>
            {bodyChoices[body]}
          </option>
        ))}
      </Select>
      {hasDays && (
        <>
          <TextInput {...field('from')} type="date" label={`${when} from`} />
          <TextInput {...field('to')} type="date" label={`${when} to`} />
        </>
      )}
    </>
  )
  return (
    <form
      role="search"
      aria-label="Providers"
      noValidate
      onSubmit={(event) => {
        const { list, sort } = input
        const apply = (draft: Draft) =>
          onApply({ ...readProvidersSearch(draft), list, sort, page: 1 })
        void form.handleSubmit(apply)(event)
      }}
      className="@container rounded-card border border-line bg-surface p-4 sm:p-5"
    >
      <div
        className={cx(
          'grid items-end gap-4 @md:grid-cols-2',
          hasDays
            ? '@4xl:grid-cols-[minmax(0,1fr)_7rem_10rem_10rem_10rem_auto]'
            : '@4xl:grid-cols-[minmax(0,1fr)_7rem_10rem_auto]',
        )}
      >
        <TextInput
          {...field('search')}
          type="search"
          label={isFull ? 'Name, number or email' : 'Name or number'}
          autoComplete="off"
          maxLength={100}
        />
        {isWide ? (
          more
        ) : (
          <details open={hasFilters({ ...input, search: '' })} className="@md:col-span-2">
            <summary className="flex min-h-11 list-none items-center justify-between font-semibold text-brand-deep">
              More filters
              <ChevronDown aria-hidden="true" className="size-5 in-open:rotate-180" />
            </summary>
            <div className="grid items-end gap-4 pt-2 @md:grid-cols-2">{more}</div>
          </details>
        )}
        <Button type="submit">Search</Button>
      </div>
    </form>
  )
}

type Applied = { key: string; label: string; without: ProvidersInput }

function appliedFilters(input: ProvidersInput): Applied[] {
  const { search, region, body, from, to, list } = input
  const when = dateLabels[list]
  const rest = { ...input, page: 1 }
  const applied: (Applied | false)[] = [
    search !== '' && { key: 'search', label: `“${search}”`, without: { ...rest, search: '' } },
    region !== undefined && {
      key: 'region',
      label: regionLabels[region],
      without: { ...rest, region: undefined },
    },
    body !== undefined && {
      key: 'body',
      label: bodyChoices[body],
      without: { ...rest, body: undefined },
    },
    from !== undefined && {
      key: 'from',
      label: `${when} from ${formatLocalDate(`${from}T12:00:00Z`)}`,
      without: { ...rest, from: undefined },
    },
    to !== undefined && {
      key: 'to',
      label: `${when} to ${formatLocalDate(`${to}T12:00:00Z`)}`,
      without: { ...rest, to: undefined },
    },
  ]
  return applied.filter((one) => one !== false)
}

/** A list without filters. */
export function withoutFilters({ list, sort }: ProvidersInput): ProvidersInput {
  return { ...readProvidersSearch({}), list, sort }
}

type ChipsProps = Pick<ListFiltersProps, 'input' | 'onApply'>

/** The applied filters as chips, each removed by one press. Nothing without any. */
export function ListChips({ input, onApply }: ChipsProps) {
  const applied = appliedFilters(input)
  if (applied.length === 0) return null
  return (
    <div role="group" aria-label="Active filters" className="flex flex-wrap items-center gap-2">
      {applied.map(({ key, label, without }) => (
        <RemovableChip
          key={key}
          removeLabel={`Remove filter: ${label}`}
          onRemove={() => onApply(without)}
        >
          {label}
        </RemovableChip>
      ))}
      <Button
        variant="quiet"
        className="px-3 text-sm"
        onClick={() => onApply(withoutFilters(input))}
      >
        Clear all
      </Button>
    </div>
  )
}
