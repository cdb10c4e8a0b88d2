import { type AnyRoute, type HistoryLocation, useRouter } from '@tanstack/react-router'
import { Moon, Sun, TriangleAlert } from 'lucide-react'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { useOnline } from '#app/lib/browser-hooks.ts'
import { readStored, writeStored } from '#app/lib/storage.ts'
import { Container } from '#app/ui/page.tsx'
import { showToast } from '#app/ui/toast.tsx'

/** The mark and the name. The mark is a roof, a person and a door in one stroke. */
export function Logo() {
  return (
    <span className="inline-flex items-center gap-2.5">
      <svg viewBox="0 0 32 32" aria-hidden="true" className="size-8 shrink-0">
        <rect width="32" height="32" rx="9" className="fill-brand" />
        <path
          d="M9 23 15.1 9.2a1 1 0 0 1 1.8 0L23 23"
          fill="none"
          strokeWidth="3"
          strokeLinecap="round"
          strokeLinejoin="round"
          className="stroke-on-brand"
        />
        <circle cx="16" cy="20" r="2.4" className="fill-on-brand" />
      </svg>
      <span className="text-xl font-bold tracking-tight text-ink">Apposite</span>
    </span>
  )
}

/** Whether the code of all of a route has loaded; the router removes this function once it has. */
function isLoaded(route: AnyRoute): boolean {
  return route.options.component?.preload === undefined
}

/**
 * While offline, keeps the page instead of opening one whose code has not loaded, and opens that one once the network
 * is back. Returns whether one is wanted.
 */
function useKeptPage(isOnline: boolean): boolean {
  const { history, getMatchedRoutes } = useRouter()
  const [isWaiting, setWaiting] = useState(false)
  useEffect(() => {
    if (isOnline) return
    let wanted: HistoryLocation | null = null
    const unblock = history.block({
      enableBeforeUnload: false,
      blockerFn: ({ nextLocation }) => {
        const [routes] = getMatchedRoutes(nextLocation.pathname)
        const isMissing = !routes.every(isLoaded)
        wanted = isMissing ? nextLocation : null
        setWaiting(isMissing)
        return isMissing
      },
    })
    return () => {
      unblock()
      setWaiting(false)
      if (wanted !== null && navigator.onLine) history.push(wanted.href, wanted.state)
    }
  }, [isOnline, history, getMatchedRoutes])
  return isWaiting
}

/** Shows on every page that the network is down, and once that it is back. */
export function NetworkNotice() {
  const isOnline = useOnline()
  const isWaiting = useKeptPage(isOnline)
  const wasOffline = useRef(false)
  useEffect(() => {
    if (isOnline && wasOffline.current) void showToast('You’re back online.')
    wasOffline.current = !isOnline
  }, [isOnline])
  return (
    <div className="no-print sticky top-0 z-20">
      <div role="status">
        {!isOnline && !isWaiting && (
          <NetworkBar>
            You’re offline. You can still read this page, but anything new needs a connection.
          </NetworkBar>
        )}
      </div>
      {!isOnline && isWaiting && (
        <div role="alert">
          <NetworkBar>
            You’re offline. The page you chose opens by itself once you’re back.
          </NetworkBar>
        </div>
      )}
    </div>
  )
}

function NetworkBar({ children }: { children: string }) {
  return (
    <div className="border-b border-warn bg-accent-tint py-2">
      <Container className="flex items-center gap-2.5 text-ink">
        <TriangleAlert aria-hidden="true" className="size-5 shrink-0 text-warn" />
        <p>{children}</p>
      </Container>
    </div>
  )
}

export type Theme = 'light' | 'dark'

const KEY = 'theme'
const systemIsDark = () => matchMedia('(prefers-color-scheme: dark)')

/** The theme on the screen now: the remembered one, else the system's. */
function currentTheme(): Theme {
  const stored = readStored(KEY)
  if (stored === 'light' || stored === 'dark') return stored
  return systemIsDark().matches ? 'dark' : 'light'
}

/** Applies and stores a theme; choosing the system's theme follows the system again. */
function chooseTheme(theme: Theme): void {
  const followsSystem = theme === (systemIsDark().matches ? 'dark' : 'light')
  writeStored(KEY, followsSystem ? null : theme)
  if (followsSystem) delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme
  dispatchEvent(new Event('theme-change'))
}

/** Calls back whenever the current theme may have changed; returns an unsubscribe function. */
export function watchTheme(onChange: () => void): () => void {
  const system = systemIsDark()
  system.addEventListener('change', onChange)
  addEventListener('theme-change', onChange)
  return () => {
    system.removeEventListener('change', onChange)
    removeEventListener('theme-change', onChange)
  }
}

/** Switches between light and dark; stored unless it equals the system's setting. */
export function ThemeSwitch() {
  const isDark = useSyncExternalStore(watchTheme, currentTheme, () => 'light') === 'dark'
  const Icon = isDark ? Sun : Moon
  return (
    <button
      type="button"
      onClick={() => chooseTheme(isDark ? 'light' : 'dark')}
      className="inline-flex min-h-11 items-center gap-2 rounded-field px-3 font-medium text-ink transition-colors duration-150 hover:bg-tint hover:text-brand-deep"
    >
      <Icon aria-hidden="true" className="size-5" />
      {isDark ? 'Light' : 'Dark'}
      <span className="sr-only"> theme</span>
    </button>
  )
}
