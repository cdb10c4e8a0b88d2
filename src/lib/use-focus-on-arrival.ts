import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'

/**
 * After a change of page the new heading takes focus, so that it is read out; one that comes late
 * does so unless the person has gone elsewhere meanwhile.
 */
export function useFocusOnArrival(): void {
  const router = useRouter()
  useEffect(() => {
    let left: Element | null
    const take = () => {
      const { activeElement, body } = document
      const isElsewhere = activeElement !== left && activeElement !== body
      const heading = document.querySelector<HTMLElement>('main h1')
      if (heading === null && !isElsewhere) return
      watch.disconnect()
      if (heading === null || isElsewhere) return
      heading.tabIndex = -1
      heading.focus({ preventScroll: true })
    }
    const watch = new MutationObserver(take)
    const stop = router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
      if (fromLocation === undefined || !pathChanged) return
      left = document.activeElement
      watch.observe(document, { childList: true, subtree: true })
      take()
    })
    return () => {
      stop()
      watch.disconnect()
    }
  }, [router])
}
