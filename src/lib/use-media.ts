import { useCallback, useSyncExternalStore } from 'react'

/** Whether a media query matches now, following the window: `(min-width: 64rem)`. */
export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (onChange: () => void) => {
      const media = matchMedia(query)
      media.addEventListener('change', onChange)
      return () => media.removeEventListener('change', onChange)
    },
    [query],
  )
  return useSyncExternalStore(subscribe, () => matchMedia(query).matches)
}

/** From 1024 pixels list and map stand side by side. */
export const WIDE = '(min-width: 64rem)'
