import { useEffect, useRef, useState } from 'react'

/** How far the server's clock is ahead of this browser's, in milliseconds. */
let ahead = 0

/** The header counts whole seconds, and the answer was under way: less than this is no difference. */
const TOLERANCE_MS = 3_000

/**
 * Learns the server's time from an answer that no cache can have kept. Phones' clocks are wrong more
 * often than one thinks, and a countdown to an instant of the server's must not be.
 */
export function noteServerTime(answer: Response): void {
  const sent = Date.parse(answer.headers.get('date') ?? '')
  if (Number.isNaN(sent)) return
  const difference = sent - Date.now()
  ahead = Math.abs(difference) < TOLERANCE_MS ? 0 : difference
}

/** Now as the server has it, in epoch milliseconds. */
export function serverNow(): number {
  return Date.now() + ahead
}

/** Milliseconds from now, as the server has it, until one of its instants; below 0 when it is over. */
export function timeUntil(instant: string): number {
  return Date.parse(instant) - serverNow()
}

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
