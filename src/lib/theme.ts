import { readStored, writeStored } from './storage.ts'

export type Theme = 'light' | 'dark'

const KEY = 'theme'
const systemIsDark = () => matchMedia('(prefers-color-scheme: dark)')

/** The theme on the screen now: the remembered one, else the system's. */
export function currentTheme(): Theme {
  const stored = readStored(KEY)
  if (stored === 'light' || stored === 'dark') return stored
  return systemIsDark().matches ? 'dark' : 'light'
}

/** Applies and stores a theme; choosing the system's theme follows the system again. */
export function chooseTheme(theme: Theme): void {
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
