import { readStored, writeStored } from './storage.ts'

export type Theme = 'light' | 'dark'

const KEY = 'theme'
const systemIsDark = () => matchMedia('(prefers-color-scheme: dark)')

/** The theme on the screen now: the remembered one, else the system's. */
export function currentTheme(): Theme {
  const kept = readStored(KEY)
  if (kept === 'light' || kept === 'dark') return kept
  return systemIsDark().matches ? 'dark' : 'light'
}

/** Shows a theme and remembers it; choosing what the system says goes back to following it. */
export function chooseTheme(theme: Theme): void {
  const followsSystem = theme === (systemIsDark().matches ? 'dark' : 'light')
  writeStored(KEY, followsSystem ? null : theme)
  if (followsSystem) delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme
  dispatchEvent(new Event('theme-change'))
}

/** Calls back whenever the theme on the screen may have changed; returns the way to stop. */
export function watchTheme(onChange: () => void): () => void {
  const system = systemIsDark()
  system.addEventListener('change', onChange)
  addEventListener('theme-change', onChange)
  return () => {
    system.removeEventListener('change', onChange)
    removeEventListener('theme-change', onChange)
  }
}
