import { Moon, Sun } from 'lucide-react'
import { useSyncExternalStore } from 'react'
import { chooseTheme, currentTheme, watchTheme } from '#app/lib/theme.ts'

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
