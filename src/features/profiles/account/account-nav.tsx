import { Link } from '@tanstack/react-router'
import type { AccountPage, AccountPageId } from './account-pages.ts'

type AccountNavProps = { pages: readonly AccountPage[]; current: AccountPageId }

/** Navigation of the account's pages: a column from 1024 pixels, lines of links below. */
export function AccountNav({ pages, current }: AccountNavProps) {
  return (
    <nav
      aria-label="Parts of your account"
      className="no-print max-lg:mb-6 max-lg:border-b max-lg:border-line max-lg:pb-3"
    >
      <ul className="flex flex-wrap max-lg:-mx-3 max-lg:gap-y-1 lg:sticky lg:top-6 lg:flex-col lg:gap-1">
        {pages.map(({ id, name }) => (
          <li key={id}>
            <Link
              to="/userProfile"
              search={{ section: id }}
              activeOptions={{ exact: true, includeHash: true }}
              aria-current={id === current ? 'page' : undefined}
              className="flex min-h-11 items-center px-3 font-medium text-muted no-underline -outline-offset-3 transition-colors duration-150 hover:text-brand-deep rounded-field hover:bg-tint aria-[current]:bg-tint aria-[current]:text-brand-deep"
            >
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
