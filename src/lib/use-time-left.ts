import { useEffect, useRef, useState } from 'react'
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

/**
 * Does something when an instant of the server's has passed, and again each half second, until there
 * is no instant to wait for any more.
 */
export function useWhenPast(instant: string | undefined, act: () => void): void {
  const latest = useRef(act)
  useEffect(() => {
    latest.current = act
  })
  useEffect(() => {
    if (instant === undefined) return
    const look = () => {
      if (timeUntil(instant) <= 0) latest.current()
    }
    const ticking = setInterval(look, 500)
    document.addEventListener('visibilitychange', look)
    return () => {
      clearInterval(ticking)
      document.removeEventListener('visibilitychange', look)
    }
  }, [instant])
}
