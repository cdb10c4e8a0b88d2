import { Link } from '@tanstack/react-router'
import { Lock } from 'lucide-react'
import { cx } from '#app/lib/cx.ts'
import { RoleReason, useWhyNot } from '#app/parts/role-gate.tsx'
import {
  isPublicList,
  ProviderList,
  type ProvidersInput,
  type VerificationQueue,
} from '#contract/verification-staff.ts'
import { writeAddress } from './providers-address.ts'
import { listWords } from './staff-words.ts'

const tab =
  'inline-flex min-h-11 items-center gap-2 border-b-2 border-transparent px-1 font-medium whitespace-nowrap text-muted no-underline ' +
  'transition-colors duration-150 hover:text-ink aria-[current=page]:border-brand aria-[current=page]:font-semibold aria-[current=page]:text-ink'

function countOf(list: ProviderList, queue: VerificationQueue | undefined): number | null {
  if (list === 'waiting') return queue?.waiting ?? null
  if (list === 'lost') return queue?.lost ?? null
  return list === 'company' ? (queue?.companies ?? null) : null
}

type ListTabsProps = { input: ProvidersInput; queue: VerificationQueue | undefined }

/** The lists, with the number waiting in each; filters carry over from one to the next. */
export function ListTabs({ input, queue }: ListTabsProps) {
  const isBarred = useWhyNot('verify') !== null
  return (
    <div>
      <nav aria-label="Lists" className="overflow-x-auto border-b border-line">
        <ul className="flex gap-5">
          {ProviderList.options.map((list) => {
            const count = countOf(list, queue)
            const words = (
              <>
                {listWords[list]}
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
            const { list: _, ...rest } = writeAddress({ ...input, sort: 'usual', page: 1 })
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
