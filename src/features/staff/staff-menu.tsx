import { Link, useLocation } from '@tanstack/react-router'
import { cx } from '#app/lib/cx.ts'
import { isWithin, menuEntries } from './menu-entries.ts'

const line =
  'flex min-h-11 w-full items-center gap-3 rounded-field px-3 font-medium text-ink no-underline ' +
  'transition-colors duration-150 hover:bg-tint hover:text-brand-deep'
const currentLine = 'bg-tint font-semibold text-brand-deep'

/** The pages of the staff's side, beside the page on wide screens and in the drawer of narrow ones. */
export function StaffMenu({ onChoose }: { onChoose: () => void }) {
  const pathname = useLocation({ select: (location) => location.pathname })
  return (
    <nav aria-label="Staff">
      <ul className="flex flex-col gap-1">
        {menuEntries.map((entry) => {
          const { label, icon: Icon, to } = entry
          const isHere = isWithin(entry, pathname)
          // "page" is the page itself; a page below it only belongs to the entry.
          const current = pathname === to ? 'page' : isHere || undefined
          return (
            <li key={to}>
              <Link
                to={to}
                activeOptions={{ exact: true }}
                aria-current={current}
                onClick={onChoose}
                className={cx(line, isHere && currentLine)}
              >
                <Icon aria-hidden="true" strokeWidth={1.75} className="size-5 shrink-0" />
                {label}
              </Link>
            </li>
          )
        })}
      </ul>
    </nav>
  )
}
