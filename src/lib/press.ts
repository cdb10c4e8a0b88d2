import type { MouseEvent } from 'react'
import { useLayoutEffect, useState } from 'react'

let isPressed = false

const setPressed = (pressed: boolean) => () => {
  isPressed = pressed
}
if (!import.meta.env.SSR) {
  // Captured on the window, so that no handler on the page can hide the event.
  addEventListener('pointerdown', setPressed(true), true)
  addEventListener('pointerup', setPressed(false), true)
  addEventListener('pointercancel', setPressed(false), true)
  // The popup of a native select swallows `pointerup`.
  addEventListener(
    'change',
    ({ target }) => {
      if (target instanceof HTMLSelectElement) isPressed = false
    },
    true,
  )
}

/**
 * Runs `act` at once, or after the current press: content that appears while a button is held down moves the
 * button away from the pointer, and the click is lost.
 */
export function afterPress(act: () => void): void {
  if (!isPressed) {
    act()
    return
  }
  const end = new AbortController()
  const finish = () => {
    end.abort()
    // The click event follows right after `pointerup`.
    setTimeout(act)
  }
  addEventListener('pointerup', finish, { signal: end.signal })
  addEventListener('pointercancel', finish, { signal: end.signal })
}

/**
 * A value that changes only between presses, so that content depending on it, such as the error of a field
 * that was left, does not move the button being pressed.
 */
export function useAfterPress<Value>(value: Value): Value {
  const [shown, setShown] = useState(value)
  // Before paint, so that the old value is visible only during a press.
  useLayoutEffect(() => {
    if (shown !== value) afterPress(() => setShown(value))
  }, [shown, value])
  return shown
}

/** Whether a click on a link means to navigate in the same tab. */
export function isPlainPress(event: MouseEvent): boolean {
  const { button, metaKey, ctrlKey, shiftKey, altKey } = event
  return button === 0 && !metaKey && !ctrlKey && !shiftKey && !altKey
}
