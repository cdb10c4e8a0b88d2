import { Link } from '@tanstack/react-router'
import type { AuthSearch } from './auth-search.ts'

const linkClass =
  'inline-flex min-h-11 flex-1 items-center justify-center rounded-field px-4 font-semibold text-brand-deep ' +
  'no-underline transition-colors duration-150 hover:bg-tint aria-[current=page]:bg-brand aria-[current=page]:text-on-brand'

/** Both links share a path, so the query string decides which one is current. */
const exactMatch = { exact: true, includeSearch: true }

type AccountTypeSwitchProps = { to: '/sign-in' | '/register'; search: AuthSearch }

/** The visible switch between the patient's and the provider's form. */
export function AccountTypeSwitch({ to, search }: AccountTypeSwitchProps) {
  const { as: _as, ...rest } = search
  return (
    <nav
      aria-label="Who you are"
      className="flex flex-wrap gap-1 rounded-card border border-line bg-surface p-1"
    >
      <Link to={to} search={rest} replace activeOptions={exactMatch} className={linkClass}>
        I am a patient
      </Link>
      <Link
        to={to}
        search={{ ...rest, as: 'provider' }}
        replace
        activeOptions={exactMatch}
        className={linkClass}
      >
        I am a provider
      </Link>
    </nav>
  )
}
