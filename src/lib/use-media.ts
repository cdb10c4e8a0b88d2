import { useCallback, useSyncExternalStore } from 'react'

const onServer = () => false

/**
 * Whether a media query matches now, following the window: `(min-width: 64rem)`. No when the server
 * draws the page, which knows of no window.
 */
export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (onChange: () => void) => {
      const media = matchMedia(query)
      media.addEventListener('change', onChange)
      return () => media.removeEventListener('change', onChange)
    },
    [query],
  )
  return useSyncExternalStore(subscribe, () => matchMedia(query).matches, onServer)
}

/** From 1024 pixels list and map stand side by side. */
export const WIDE = '(min-width: 64rem)'
