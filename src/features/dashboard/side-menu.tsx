import { Link } from '@tanstack/react-router'
import { ChevronDown, LogOut } from 'lucide-react'
import { useId, useState } from 'react'
import { cx } from '#app/lib/cx.ts'
import { type MenuEntry, menuEntries } from './menu-entries.ts'

const line =
  'flex min-h-11 w-full items-center gap-3 rounded-field px-3 text-left font-medium text-ink no-underline ' +
  'transition-colors duration-150 hover:bg-tint hover:text-brand-deep ' +
  'aria-[current=page]:bg-tint aria-[current=page]:font-semibold aria-[current=page]:text-brand-deep'
const iconShape = 'size-5 shrink-0'

type Choosing = { onChoose: () => void }

/** A heading that folds the pages below it away; open at first, so that nothing has to be looked for. */
function Submenu({
  entry,
  onChoose,
}: Choosing & { entry: Extract<MenuEntry, { pages: unknown }> }) {
  const id = useId()
  const [isOpen, setOpen] = useState(true)
  const { icon: Icon, label, pages } = entry
  return (
    <li>
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
        className={line}
      >
        <Icon aria-hidden="true" strokeWidth={1.75} className={iconShape} />
        <span className="flex-1">{label}</span>
        <ChevronDown
          aria-hidden="true"
          strokeWidth={1.75}
          className={cx('size-4 transition-transform duration-150', isOpen && 'rotate-180')}
        />
      </button>
      {/* The hairline stands under the middle of the icon above. */}
      <ul
        id={id}
        hidden={!isOpen}
        className="mt-1 ml-5.5 flex flex-col gap-1 border-l border-line pl-2.5"
      >
        {pages.map(({ label: page, to }) => (
          <li key={to}>
            <Link to={to} onClick={onChoose} className={line}>
              {page}
            </Link>
          </li>
        ))}
      </ul>
    </li>
  )
}

/** What the sidebar of providers holds, on wide screens and in the drawer of narrow ones. */
export function SideMenu({ onChoose, onLogout }: Choosing & { onLogout: () => void }) {
  return (
    <nav aria-label="Provider">
      <ul className="flex flex-col gap-1">
        {menuEntries.map((entry) => {
          if ('pages' in entry) {
            return <Submenu key={entry.label} entry={entry} onChoose={onChoose} />
          }
          const { icon: Icon, label, to } = entry
          return (
            <li key={label}>
              <Link to={to} onClick={onChoose} className={line}>
                <Icon aria-hidden="true" strokeWidth={1.75} className={iconShape} />
                {label}
              </Link>
            </li>
          )
        })}
        <li className="mt-2 border-t border-line pt-2">
          <button type="button" onClick={onLogout} className={line}>
            <LogOut aria-hidden="true" strokeWidth={1.75} className={iconShape} />
            Logout
          </button>
        </li>
      </ul>
    </nav>
  )
}
