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
    let focused: Element | null
    const focusHeading = () => {
      const { activeElement, body } = document
      if (activeElement !== focused && activeElement !== body) {
        observer.disconnect()
        return
      }
      const heading = document.querySelector<HTMLElement>('main h1')
      if (heading === null || heading === activeElement) return
      focused = heading
      heading.tabIndex = -1
      heading.focus({ preventScroll: true })
    }
    const observer = new MutationObserver(focusHeading)
    const stop = router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
      if (fromLocation === undefined || !pathChanged) return
      focused = document.activeElement
      observer.observe(document, { childList: true, subtree: true })
      focusHeading()
    })
    return () => {
      stop()
      observer.disconnect()
    }
  }, [router])
}
