import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'

/**
 * After a change of page the new heading takes focus, so that it is read out; one that comes late, or
 * in place of another, does so unless the person has gone elsewhere meanwhile.
 */
export function useFocusOnArrival(): void {
  const router = useRouter()
  useEffect(() => {
    /** Where the focus was left, or put. */
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
