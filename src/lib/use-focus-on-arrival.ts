import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'

/** After a change of page the new heading takes focus, so that it is read out. */
export function useFocusOnArrival(): void {
  const router = useRouter()
  useEffect(
    () =>
      router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
        if (fromLocation === undefined || !pathChanged) return
        const heading = document.querySelector<HTMLElement>('main h1')
        if (heading === null) return
        heading.tabIndex = -1
        heading.focus({ preventScroll: true })
      }),
    [router],
  )
}
