import { ChevronRight, Lock } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { cx } from '#app/lib/cx.ts'
import { useWhyNot } from '#app/parts/role-gate.tsx'
import { Card } from '#app/ui/card.tsx'
import type { StaffAct } from '#contract/staff.ts'

/** A kind of item that needs attention, and the link to the list of them. */
export type Work = {
  count: number
  /** What is counted, worded to follow the number. */
  label: string
  act: StaffAct
  /** Renders the link, so that the caller's routes and filters stay typed. */
  renderLink: (props: { className: string; children: ReactNode }) => ReactNode
}

const line = 'flex min-h-13 w-full items-center gap-4 px-4 py-2 text-ink no-underline sm:px-6'

function Count({ count }: { count: number }) {
  return (
    <span
      className={cx(
        'tabular min-w-10 text-right text-xl font-semibold',
        count === 0 && 'font-normal text-muted',
      )}
    >
      {count}
    </span>
  )
}

/** A line of work: a link for roles that may do it, only the count for others. */
function WorkLine({ work }: { work: Work }) {
  const { count, label, act, renderLink } = work
  const reason = useWhyNot(act)
  const words = <span className={cx('flex-1', count === 0 && 'text-muted')}>{label}</span>
  if (reason !== null) {
    return (
      <div className={line}>
        <Count count={count} />
        {words}
        <span className="flex items-center text-muted" title={reason}>
          <Lock aria-hidden="true" className="size-4" />
          <span className="sr-only">{reason}</span>
        </span>
      </div>
    )
  }
  return renderLink({
    className: cx(line, 'group transition-colors duration-150 hover:bg-tint'),
    children: (
      <>
        <Count count={count} />
        {words}
        <ChevronRight
          aria-hidden="true"
          className="size-5 text-muted group-hover:text-brand-deep"
        />
      </>
    ),
  })
}

type WorkListProps = { title: string; works: readonly Work[]; children?: ReactNode }

/** Items that need attention in one area, each with its count first. */
export function WorkList({ title, works, children }: WorkListProps) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="min-w-0">
      <Card className="h-full overflow-hidden p-0! sm:p-0!">
        <h2 id={id} className="px-4 pt-4 pb-2 text-lg font-semibold sm:px-6 sm:pt-5">
          {title}
        </h2>
        <ul className="divide-y divide-line border-t border-line">
          {works.map((work) => (
            <li key={work.label}>
              <WorkLine work={work} />
            </li>
          ))}
        </ul>
        {children && (
          <p className="border-t border-line px-4 py-3 text-sm text-muted sm:px-6">{children}</p>
        )}
      </Card>
    </section>
  )
}
