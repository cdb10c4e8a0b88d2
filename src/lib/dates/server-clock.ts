import { useEffect, useRef, useState } from 'react'

/** How far the server's clock is ahead of this browser's, in milliseconds. */
let offsetMs = 0

/** The Date header has whole seconds, and responses take time: smaller differences are ignored. */
const TOLERANCE_MS = 3_000

/**
 * Learns the server's time from a response that no cache can have stored. Phone clocks are often wrong, and
 * countdowns to instants of the server must not be.
 */
export function syncServerTime(answer: Response): void {
  const sent = Date.parse(answer.headers.get('date') ?? '')
  if (Number.isNaN(sent)) return
  const difference = sent - Date.now()
  offsetMs = Math.abs(difference) < TOLERANCE_MS ? 0 : difference
}

/** Now as the server has it, in epoch milliseconds. */
export function serverNow(): number {
  return Date.now() + offsetMs
}

/** Milliseconds until an instant by the server's clock; negative once it has passed. */
export function timeUntil(instant: string): number {
  return Date.parse(instant) - serverNow()
}

/** Milliseconds until an instant by the server's clock, updated every second; 0 once it has passed. */
export function useTimeLeft(instant: string): number {
  const [left, setLeft] = useState(() => timeUntil(instant))
  useEffect(() => {
    const update = () => setLeft(timeUntil(instant))
    update()
    const ticking = setInterval(update, 1_000)
    // Timers sleep with the phone; the clock does not.
    document.addEventListener('visibilitychange', update)
    return () => {
      clearInterval(ticking)
      document.removeEventListener('visibilitychange', update)
    }
  }, [instant])
  return Math.max(0, left)
}

/**
 * Calls `act` once an instant has passed by the server's clock, and again every half second until `instant`
 * changes or is undefined.
 */
export function useWhenReached(instant: string | undefined, act: () => void): void {
  const latest = useRef(act)
  useEffect(() => {
    latest.current = act
  })
  useEffect(() => {
    if (instant === undefined) return
    const check = () => {
      if (timeUntil(instant) <= 0) latest.current()
    }
    const ticking = setInterval(check, 500)
    document.addEventListener('visibilitychange', check)
    return () => {
      clearInterval(ticking)
      document.removeEventListener('visibilitychange', check)
    }
  }, [instant])
}
