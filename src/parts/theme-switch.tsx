import { Moon, Sun } from 'lucide-react'
import { useSyncExternalStore } from 'react'
import { readStored, writeStored } from '#app/lib/storage.ts'

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
