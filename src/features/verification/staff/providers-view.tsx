import { Link, useNavigate } from '@tanstack/react-router'
import { Lock } from 'lucide-react'
import { type ReactNode, useCallback, useDeferredValue } from 'react'
import { useCurrentInView } from '#app/lib/browser-hooks.ts'
import { cx } from '#app/lib/cx.ts'
import { StaffHeading } from '#app/parts/dashboard-frame.tsx'
import { DataBoundary } from '#app/parts/data-boundary.tsx'
import { RoleReason, useStaffRefusal } from '#app/parts/role-guard.tsx'
import { trpc } from '#app/trpc.ts'
import { Button, LinkButton } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/notice.tsx'
import { LiveRegion, PendingShapes } from '#app/ui/page.tsx'
import { Pagination } from '#app/ui/pagination.tsx'
import { Region } from '#contract/base/region.ts'
import {
  isPublicList,
  type ProvidersPage as PageOfProviders,
  PROVIDERS_PAGE_SIZE,
  ProviderList,
  type ProvidersInput,
  type VerificationQueue,
} from '#contract/verification-staff.ts'
import { ProviderRows } from './provider-rows.tsx'
import { NoProvider, ProviderView } from './provider-view.tsx'
import {
  hasFilters,
  ListChips,
  ListFilters,
  type ProvidersSearch,
  readProvidersSearch,
  toProvidersSearch,
  withoutFilters,
} from './providers-filters.tsx'
import { emptyListText, listLabels } from './staff-text.ts'

/** `/admin-home/providers/{providerId}`: a provider's claim and the register's entry. */
export function ProviderPage({ providerId }: { providerId: string }) {
  return <ProviderView providerId={providerId} />
}

type VerifiedProviderPageProps = { providerId: string; region: string }

/**
 * `/admin-home/verified-provider/{providerId}/{region}`: a verified provider. A region other than the
 * provider's, or an invalid one, shows that no provider was found.
 */
export function VerifiedProviderPage({ providerId, region }: VerifiedProviderPageProps) {
  const known = Region.safeParse(region)
  if (!known.success) {
    return (
      <>
        <StaffHeading title="Provider" />
        <NoProvider />
      </>
    )
  }
  return <ProviderView providerId={providerId} region={known.data} isInVerified />
}

/** Links to the first provider in the queue; nothing if it is empty. */
function StartQueueLink() {
  const isBarred = useStaffRefusal('verify') !== null
  const { data } = trpc.verification.queue.useQuery({}, { enabled: !isBarred })
  if (!data?.next) return null
  return (
    <LinkButton
      to="/admin-home/providers/$providerId"
      params={{ providerId: data.next.providerId }}
    >
      Work through the queue
    </LinkButton>
  )
}

/** `/admin-home/providers`: all providers, or one of the lists. */
export function ProvidersPage({ address }: { address: ProvidersSearch }) {
  return (
    <>
      <StaffHeading title="Providers" aside={<StartQueueLink />} />
      <ProvidersView input={readProvidersSearch(address)} />
    </>
  )
}

/** `/admin-home/providers/verified`: the providers patients can find. */
export function VerifiedProvidersPage({ address }: { address: ProvidersSearch }) {
  return (
    <>
      <StaffHeading title="Verified providers" />
      <ProvidersView input={{ ...readProvidersSearch(address), list: 'verified' }} />
    </>
  )
}

/** The path of a list; verified providers have a separate, documented one. */
function listLink(input: ProvidersInput) {
  const { list, ...search } = toProvidersSearch(input)
  if (input.list === 'verified') return { to: '/admin-home/providers/verified', search } as const
  return { to: '/admin-home/providers', search: { ...search, ...(list && { list }) } } as const
}

function countText({ total, current_page: page, providers }: PageOfProviders): string {
  if (providers.length === 0) return 'Nobody on this page'
  const first = (page - 1) * PROVIDERS_PAGE_SIZE + 1
  const all = total.toLocaleString('en-GB')
  if (total === 1) return '1 provider'
  return `${first.toLocaleString('en-GB')} to ${(first + providers.length - 1).toLocaleString('en-GB')} of ${all} providers`
}

const pending = (
  <PendingShapes
    className="flex flex-col gap-3"
    shapes={['h-6 w-48', ...Array.from({ length: 6 }, () => 'h-32 lg:h-16')]}
  />
)

type NoProvidersProps = {
  input: ProvidersInput
  total: number
  onApply: (input: ProvidersInput) => void
}

function NoProviders({ input, total, onApply }: NoProvidersProps) {
  const isPastEnd = total > 0
  const isOnly = hasFilters(input)
  const wanted = isPastEnd ? { ...input, page: 1 } : withoutFilters(input)
  return (
    <EmptyState
      title={isOnly || isPastEnd ? 'No providers found.' : emptyListText[input.list]}
      actions={
        (isOnly || isPastEnd) && (
          <Button variant="secondary" onClick={() => onApply(wanted)}>
            {isPastEnd ? 'Back to the first page' : 'Clear the filters'}
          </Button>
        )
      }
    >
      {isOnly && !isPastEnd && <p>No providers match your filters.</p>}
    </EmptyState>
  )
}

type FoundProps = Omit<NoProvidersProps, 'total'> & { isFull: boolean }

function Found({ input, isFull, onApply }: FoundProps) {
  // The previous page stays, dimmed, until the one for the new filters has loaded.
  const asked = JSON.stringify(input)
  const shown = useDeferredValue(asked)
  const isStale = shown !== asked
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what was written above
  const [page] = trpc.verification.providers.useSuspenseQuery(JSON.parse(shown) as ProvidersInput)
  if (page.providers.length === 0) {
    return <NoProviders input={input} total={page.total} onApply={onApply} />
  }
  const renderSort = (sort: ProvidersInput['sort'], children: ReactNode) => (
    <Link
      {...listLink({ ...input, sort, page: 1 })}
      resetScroll={false}
      className="inline-flex items-center gap-1 text-muted no-underline hover:text-ink hover:underline"
    >
      {children}
    </Link>
  )
  return (
    <div aria-busy={isStale} className={isStale ? 'opacity-60 transition-opacity' : ''}>
      <LiveRegion text={isStale ? '' : countText(page)} />
      <p className="tabular mb-3 text-muted">{countText(page)}</p>
      <ProviderRows page={page} input={input} isFull={isFull} renderSort={renderSort} />
      <div className="mt-6">
        <Pagination
          page={page.current_page}
          pages={page.total_pages}
          renderLink={(number, props) => (
            <Link
              key={props['aria-label']}
              {...listLink({ ...input, page: number })}
              activeOptions={{ exact: true }}
              {...props}
            />
          )}
        />
      </div>
    </div>
  )
}

/** Lists, filters, table and pagination of providers, as set in the URL. */
function ProvidersView({ input }: { input: ProvidersInput }) {
  const navigate = useNavigate()
  const isFull = useStaffRefusal('verify') === null
  const isOpen = isFull || isPublicList(input.list)
  const queue = trpc.verification.queue.useQuery({}, { enabled: isFull })
  const apply = useCallback(
    (wanted: ProvidersInput) => void navigate({ ...listLink(wanted), resetScroll: false }),
    [navigate],
  )
  if (!isOpen) {
    return (
      <div className="mt-6 flex flex-col gap-6">
        <ListTabs input={input} queue={undefined} />
        <EmptyState
          title="Only staff who verify providers can see this list"
          actions={
            <LinkButton to="/admin-home/providers" variant="secondary">
              All providers
            </LinkButton>
          }
        />
      </div>
    )
  }
  return (
    <div className="mt-6 flex flex-col gap-6">
      <ListTabs input={input} queue={queue.data} />
      <ListFilters input={input} onApply={apply} isFull={isFull} />
      <ListChips input={input} onApply={apply} />
      <DataBoundary failed="The list didn’t load" pending={pending}>
        <Found input={input} isFull={isFull} onApply={apply} />
      </DataBoundary>
    </div>
  )
}

const tab =
  'inline-flex min-h-11 items-center gap-2 border-b-2 border-transparent px-1 font-medium whitespace-nowrap text-muted no-underline -outline-offset-3 ' +
  'transition-colors duration-150 hover:text-ink aria-[current=page]:border-brand aria-[current=page]:font-semibold aria-[current=page]:text-ink'

function countOf(list: ProviderList, queue: VerificationQueue | undefined): number | null {
  if (list === 'waiting') return queue?.waiting ?? null
  if (list === 'lost') return queue?.lost ?? null
  return list === 'company' ? (queue?.companies ?? null) : null
}

type ListTabsProps = { input: ProvidersInput; queue: VerificationQueue | undefined }

/** The lists, with the number waiting in each; filters carry over from one to the next. */
function ListTabs({ input, queue }: ListTabsProps) {
  const isBarred = useStaffRefusal('verify') !== null
  const counts = ProviderList.options.map((list) => countOf(list, queue))
  const row = useCurrentInView<HTMLElement>(`${input.list} ${counts.join(' ')}`)
  return (
    <div>
      <nav ref={row} aria-label="Lists" className="overflow-x-auto border-b border-line">
        <ul className="flex gap-5">
          {ProviderList.options.map((list) => {
            const count = countOf(list, queue)
            const words = (
              <>
                {listLabels[list]}
                {count !== null && count > 0 && (
                  <span className="tabular rounded-full bg-sunken px-2 text-sm font-semibold text-ink">
                    {count.toLocaleString('en-GB')}
                  </span>
                )}
              </>
            )
            if (isBarred && !isPublicList(list)) {
              return (
                <li key={list} className={cx(tab, 'hover:text-muted')}>
                  <Lock aria-hidden="true" className="size-4" />
                  {words}
                </li>
              )
            }
            const { list: _, ...rest } = toProvidersSearch({ ...input, sort: 'usual', page: 1 })
            return (
              <li key={list}>
                {list === 'verified' ? (
                  <Link
                    to="/admin-home/providers/verified"
                    search={rest}
                    aria-current={input.list === list ? 'page' : undefined}
                    className={tab}
                  >
                    {words}
                  </Link>
                ) : (
                  <Link
                    to="/admin-home/providers"
                    search={{ ...rest, ...(list !== 'all' && { list }) }}
                    // All lists share this path, and the URL of "all" is contained in each of theirs.
                    activeOptions={{ exact: true, includeSearch: true }}
                    aria-current={input.list === list ? 'page' : undefined}
                    className={tab}
                  >
                    {words}
                  </Link>
                )}
              </li>
            )
          })}
        </ul>
      </nav>
      <RoleReason act="verify" className="mt-3" />
    </div>
  )
}
