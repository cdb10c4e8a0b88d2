import { useEffect, useRef, useState } from 'react'
import type { Me } from '#contract/auth.ts'

/** The part one is reading: the last whose top has passed the upper third of the window. */
function useCurrentPart(parts: readonly AccountPart[]): string | undefined {
  const [current, setCurrent] = useState(parts[0]?.id)
  useEffect(() => {
    const look = () => {
      const isAtEnd = innerHeight + scrollY >= document.documentElement.scrollHeight - 2
      const passed = parts.filter(({ id }) => {
        const top = document.getElementById(id)?.getBoundingClientRect().top
        return top !== undefined && top < innerHeight / 3
      })
      setCurrent((isAtEnd ? parts : passed).at(-1)?.id ?? parts[0]?.id)
    }
    look()
    addEventListener('scroll', look, { passive: true })
    return () => removeEventListener('scroll', look)
  }, [parts])
  return current
}

/**
 * Leads to the parts of the account: a column that stays in view from 1024 pixels, a strip that can
 * be pushed sideways below. Plain links within the page, so that Tab goes on from where they lead.
 */
export function AccountNav({ parts }: { parts: readonly AccountPart[] }) {
  const strip = useRef<HTMLUListElement>(null)
  const current = useCurrentPart(parts)
  useEffect(() => {
    const list = strip.current
    const link = list?.querySelector<HTMLElement>(`[href="#${current}"]`)
    // The column does not scroll: there this does nothing.
    if (list && link)
      list.scrollLeft = link.offsetLeft - list.clientWidth / 2 + link.offsetWidth / 2
  }, [current])
  return (
    <nav
      aria-label="Parts of your account"
      className="no-print max-lg:sticky max-lg:top-0 max-lg:z-20 max-lg:-mx-4 max-lg:mb-6 max-lg:border-b max-lg:border-line max-lg:bg-paper sm:max-lg:-mx-6"
    >
      <ul
        ref={strip}
        className="relative flex gap-1 overflow-x-auto max-lg:px-2 max-lg:py-1.5 max-lg:[scrollbar-width:none] sm:max-lg:px-4 lg:sticky lg:top-6 lg:flex-col"
      >
        {parts.map(({ id, name }) => (
          <li key={id} className="shrink-0">
            <a
              href={`#${id}`}
              aria-current={id === current ? 'true' : undefined}
              className="flex min-h-11 items-center rounded-field px-3 font-medium whitespace-nowrap text-muted no-underline -outline-offset-3 transition-colors duration-150 hover:bg-tint hover:text-brand-deep aria-[current]:bg-tint aria-[current]:text-brand-deep lg:min-h-10"
            >
              {name}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

const PARTS = [
  { id: 'visits', name: 'Visits' },
  { id: 'details', name: 'Details' },
  { id: 'photo', name: 'Photo' },
  { id: 'email', name: 'Email' },
  { id: 'password', name: 'Password' },
  { id: 'second-factor', name: 'Two-step sign-in' },
  { id: 'sessions', name: 'Devices' },
  { id: 'tokens', name: 'Access tokens' },
  { id: 'consent', name: 'Cookies' },
  { id: 'data', name: 'Your data' },
  { id: 'erase', name: 'Delete account' },
] as const
export type AccountPart = (typeof PARTS)[number]

const ONLY_PATIENTS = new Set<string>(['visits', 'details'])

/** Accounts of staff are made and ended by staff. */
const NOT_STAFF = new Set<string>(['photo', 'data', 'erase'])

/** The parts of somebody's account page in the order of the screen. */
export function partsOf(me: Me): readonly AccountPart[] {
  const { kind } = me
  return PARTS.filter(
    ({ id }) =>
      (kind === 'patient' || !ONLY_PATIENTS.has(id)) && (kind !== 'staff' || !NOT_STAFF.has(id)),
  )
}
