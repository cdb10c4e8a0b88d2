import { type RefObject, useEffect, useEffectEvent, useRef } from 'react'

/** What forms about a time share: the day, its start and length in minutes (`NaN` if mistyped), and the note. */
export type SharedTime = { date: string; from: number; minutes: number; note: string }

/** Whether a form is the one shown, and what was changed in the one shown before. */
export type Sharing = { isShown: boolean; changed: RefObject<Partial<SharedTime>> }

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
  const show = useEffectEvent(() => {
    if (sharing === undefined) return
    apply(sharing.changed.current)
    given.current = { ...now, ...sharing.changed.current }
  })
  const leave = useEffectEvent(() => {
    if (sharing !== undefined) sharing.changed.current = changesOf(given.current, now)
  })
  const isShown = sharing?.isShown ?? false
  useEffect(() => {
    if (!isShown) return
    show()
    return () => leave()
  }, [isShown])
}
