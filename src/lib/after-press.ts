import { useLayoutEffect, useState } from 'react'

let isPressed = false

const note = (pressed: boolean) => () => {
  isPressed = pressed
}
if (!import.meta.env.SSR) {
  // At the root and first of all, so that nothing on the page can keep it from being seen.
  addEventListener('pointerdown', note(true), true)
  addEventListener('pointerup', note(false), true)
  addEventListener('pointercancel', note(false), true)
  // The list of a native select takes the release for itself.
  addEventListener(
    'change',
    ({ target }) => {
      if (target instanceof HTMLSelectElement) isPressed = false
    },
    true,
  )
}

/**
 * Does something at once, or after the press that is under way: what appears while a button is held
 * moves the button away from under the finger, and the press is lost.
 */
export function afterPress(act: () => void): void {
  if (!isPressed) {
    act()
    return
  }
  const end = new AbortController()
  const finish = () => {
    end.abort()
    // The click itself comes right after the release.
    setTimeout(act)
  }
  addEventListener('pointerup', finish, { signal: end.signal })
  addEventListener('pointercancel', finish, { signal: end.signal })
}

/**
 * A value that changes only between presses: what comes or goes with it, such as what is wrong with the
 * field that was left, does not move the button that is being pressed.
 */
export function useAfterPress<Value>(value: Value): Value {
  const [shown, setShown] = useState(value)
  // Before anything is painted, so that nobody sees the old value unless a press is under way.
  useLayoutEffect(() => {
    if (shown !== value) afterPress(() => setShown(value))
  }, [shown, value])
  return shown
}
