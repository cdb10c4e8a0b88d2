import { useEffect } from 'react'

/** Tells `public/boot.js` once presses have an effect: it does the one that came before. */
export function useTellLive(): void {
  useEffect(() => {
    dispatchEvent(new Event('live'))
  }, [])
}
