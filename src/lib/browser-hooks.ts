import { type RefObject, useCallback, useEffect, useState, useSyncExternalStore } from 'react'

/** Whether any part of an element is on the screen; false until first observed. */
export function useInView(element: RefObject<Element | null>): boolean {
  const [isInView, setIsInView] = useState(false)
  useEffect(() => {
    if (element.current === null) return
    const observer = new IntersectionObserver((entries) => {
      setIsInView(entries.at(-1)?.isIntersecting ?? false)
    })
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [element])
  return isInView
}

const onServer = () => false

/** Whether a media query matches, kept up to date: `(min-width: 64rem)`. False during server rendering. */
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

function subscribeOnline(onChange: () => void): () => void {
  addEventListener('online', onChange)
  addEventListener('offline', onChange)
  return () => {
    removeEventListener('online', onChange)
    removeEventListener('offline', onChange)
  }
}

/** Whether the browser believes it has a network. True may be wrong; false is certain. */
export function useOnline(): boolean {
  return useSyncExternalStore(
    subscribeOnline,
    () => navigator.onLine,
    () => true,
  )
}

/** Tells `public/boot.js` that the page now handles presses, so that it replays the last earlier one. */
export function useSignalHydrated(): void {
  useEffect(() => {
    dispatchEvent(new Event('live'))
  }, [])
}
