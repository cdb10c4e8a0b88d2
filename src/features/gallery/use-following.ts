import { useEffect, useRef } from 'react'
import type { HomepageState } from '#contract/gallery-staff.ts'

type Base = readonly [base: HomepageState, setBase: (now: HomepageState) => void]

type Following = {
  /** Nothing is typed that is not saved. */
  isClean: boolean
  /** Counts how often the person was told that somebody else has changed it; 0 when not just now. */
  told: number
  /** Shows what is there now. */
  adopt: (now: HomepageState) => void
}

/**
 * Keeps the version that what is typed was made from: what somebody else changes meanwhile must not
 * pass for seen because this page has fetched it. A form in which nothing is typed shows it at once;
 * one in which something is stays as it is, and may be saved over it after the person was told.
 */
export function useFollowing(current: HomepageState, [base, setBase]: Base, following: Following) {
  const { isClean, told, adopt } = following
  const heard = useRef(0)
  useEffect(() => {
    if (base.version === current.version) return
    if (isClean) adopt(current)
    else if (told === 0 || told === heard.current) return
    else heard.current = told
    setBase(current)
  }, [base, current, isClean, told, adopt, setBase])
}
