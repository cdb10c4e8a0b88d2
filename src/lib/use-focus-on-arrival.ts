import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'

/**
 * Moves focus to the new heading after navigation, so that it is announced. A heading that appears late or
 * replaces another also takes focus, unless the user has moved focus meanwhile.
 */
export function useFocusOnArrival(): void {
  const router = useRouter()
  useEffect(() => {
    /** The element that had focus after navigation, or was focused here. */
    let place: Element | null
    const take = () => {
      const { activeElement, body } = document
      if (activeElement !== place && activeElement !== body) {
        watch.disconnect()
        return
      }
      const heading = document.querySelector<HTMLElement>('main h1')
      if (heading === null || heading === activeElement) return
      place = heading
      heading.tabIndex = -1
      heading.focus({ preventScroll: true })
    }
    const watch = new MutationObserver(take)
    const stop = router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
      if (fromLocation === undefined || !pathChanged) return
      place = document.activeElement
      watch.observe(document, { childList: true, subtree: true })
      take()
    })
    return () => {
      stop()
      watch.disconnect()
    }
  }, [router])
}
