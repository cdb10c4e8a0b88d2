import { useEffect, useState } from 'react'
import { timeUntil } from './server-clock.ts'

/** Milliseconds until an instant of the server's, every second anew; 0 when it is over. */
export function useTimeLeft(instant: string): number {
  const [left, setLeft] = useState(() => timeUntil(instant))
  useEffect(() => {
    const look = () => setLeft(timeUntil(instant))
    look()
    const ticking = setInterval(look, 1_000)
    // Timers sleep with the phone; the clock does not.
    document.addEventListener('visibilitychange', look)
    return () => {
      clearInterval(ticking)
      document.removeEventListener('visibilitychange', look)
    }
  }, [instant])
  return Math.max(0, left)
}

/** Whether an instant of the server's has passed; turns true by itself and renders nothing before. */
export function useIsPast(instant: string | undefined): boolean {
  const [passed, setPassed] = useState<string>()
  useEffect(() => {
    if (instant === undefined) return
    const look = () => {
      if (timeUntil(instant) <= 0) setPassed(instant)
    }
    look()
    const ticking = setInterval(look, 500)
    document.addEventListener('visibilitychange', look)
    return () => {
      clearInterval(ticking)
      document.removeEventListener('visibilitychange', look)
    }
  }, [instant])
  return instant !== undefined && passed === instant
}
