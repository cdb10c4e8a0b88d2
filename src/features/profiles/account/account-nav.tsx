import { Link } from '@tanstack/react-router'
import type { AccountPage, AccountPageId } from './account-pages.ts'

type AccountNavProps = { pages: readonly AccountPage[]; current: AccountPageId }

/** Navigation of the account's pages: a column from 1024 pixels, a row of tabs below. */
export function AccountNav({ pages, current }: AccountNavProps) {
  return (
    <nav
      aria-label="Parts of your account"
      className="no-print max-lg:mb-6 max-lg:border-b max-lg:border-line"
    >
      <ul className="flex flex-wrap lg:sticky lg:top-6 lg:flex-col lg:gap-1">
        {pages.map(({ id, name }) => (
          <li key={id}>
            <Link
              to="/userProfile"
              search={{ section: id }}
              activeOptions={{ exact: true, includeHash: true }}
              aria-current={id === current ? 'page' : undefined}
              className="flex min-h-11 items-center px-3 font-medium text-muted no-underline -outline-offset-3 transition-colors duration-150 hover:text-brand-deep max-lg:border-b-3 max-lg:border-transparent aria-[current]:text-brand-deep max-lg:aria-[current]:border-brand lg:rounded-field lg:hover:bg-tint lg:aria-[current]:bg-tint"
            >
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
