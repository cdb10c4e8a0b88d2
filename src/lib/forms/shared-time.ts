import { useEffect, useEffectEvent, useRef } from 'react'

/** What forms about a time share: the day, its start and length in minutes (`NaN` if mistyped), and the note. */
export type SharedTime = { date: string; from: number; minutes: number; note: string }

export type Sharing = {
  /** Whether the form is the one shown. */
  isShown: boolean
  /** What was changed in the form that was last left. */
  changed: Partial<SharedTime>
  onLeave: (changed: Partial<SharedTime>) => void
}

function changesOf(given: SharedTime, now: SharedTime): Partial<SharedTime> {
  const isNew = (name: 'from' | 'minutes') => now[name] !== given[name] && now[name] >= 0
  return {
    ...(now.date !== given.date && { date: now.date }),
    ...(isNew('from') && { from: now.from }),
    ...(isNew('minutes') && { minutes: now.minutes }),
    ...(now.note !== given.note && { note: now.note }),
  }
}

/**
 * For two forms shown in turn: hands on what was changed in one (`now`) to the other's `apply`. What nobody changed
 * stays, because each has its own usual length. Does nothing without `sharing`.
 */
export function useSharedTime(
  sharing: Sharing | undefined,
  now: SharedTime,
  apply: (changes: Partial<SharedTime>) => void,
): void {
  const given = useRef(now)
  const { isShown = false, changed } = sharing ?? {}
  const show = useEffectEvent((changes: Partial<SharedTime>) => {
    apply(changes)
    given.current = { ...now, ...changes }
  })
  const leave = useEffectEvent(() => sharing?.onLeave(changesOf(given.current, now)))
  useEffect(() => (isShown ? () => leave() : undefined), [isShown])
  useEffect(() => {
    if (isShown && changed !== undefined) show(changed)
  }, [isShown, changed])
}
