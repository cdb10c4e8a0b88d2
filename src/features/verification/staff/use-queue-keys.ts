import { useEffect, useState } from 'react'
import { readStored, writeStored } from '#app/lib/storage.ts'

const KEY = 'queueKeys'

/** Whether keys of one letter are wanted: they get in the way of some who dictate or use switches. */
export function useKeysWanted(): [boolean, () => void] {
  const [isOn, setOn] = useState(() => readStored(KEY) !== 'off')
  const toggle = () => {
    writeStored(KEY, isOn ? 'off' : null)
    setOn(!isOn)
  }
  return [isOn, toggle]
}

/** Whoever types means letters. */
function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  return target.isContentEditable || target.matches('input, textarea, select, [role="dialog"] *')
}

type Moves = { isOn: boolean; onNext: (() => void) | null; onPrevious: (() => void) | null }

/** `n` or `j` go on in the queue, `p` or `k` go back; never while somebody types. */
export function useQueueKeys({ isOn, onNext, onPrevious }: Moves): void {
  useEffect(() => {
    if (!isOn) return
    const move = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return
      if (event.defaultPrevented || isTyping(event.target)) return
      const key = event.key.toLowerCase()
      const go =
        key === 'n' || key === 'j' ? onNext : key === 'p' || key === 'k' ? onPrevious : null
      if (go === null) return
      event.preventDefault()
      go()
    }
    addEventListener('keydown', move)
    return () => removeEventListener('keydown', move)
  }, [isOn, onNext, onPrevious])
}
