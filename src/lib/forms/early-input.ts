import type { Ref, RefCallback } from 'react'

/** Server-rendered controls that are not hydrated yet. */
const rendered = new WeakSet<Element>()

/** Target of the `input` event being dispatched. */
let inputTarget: EventTarget | null = null

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

/** Sets a value as typing does: the prototype's setter bypasses React's value tracking. */
function typeInto(control: Control, value: string): void {
  const prototype: unknown = Object.getPrototypeOf(control)
  Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(control, value)
  const type = control instanceof HTMLSelectElement ? 'change' : 'input'
  control.dispatchEvent(new Event(type, { bubbles: true }))
}

function replayCheck(control: HTMLInputElement): void {
  const { checked, defaultChecked, type } = control
  // In a group of radio buttons only the chosen one reports the change.
  if (checked === defaultChecked || (type === 'radio' && !checked)) return
  control.checked = defaultChecked
  control.click()
}

const isCheckable = (control: Control): control is HTMLInputElement =>
  control.type === 'radio' || control.type === 'checkbox'

/** Server-rendered value of a text field or select. */
function renderedValue(control: Control): string | undefined {
  if (!(control instanceof HTMLSelectElement)) return control.defaultValue
  const options = [...control.options]
  return (options.find((option) => option.defaultSelected) ?? options[0])?.value
}

/** Registers the controls in `root` before hydration, because they may have been used already. */
export function registerEarlyInput(root: HTMLElement): void {
  for (const control of root.querySelectorAll('input, textarea, select')) rendered.add(control)
  root.addEventListener(
    'input',
    ({ target }) => {
      inputTarget = target
      // Browsers dispatch `input` and `change` in the same task.
      setTimeout(() => {
        inputTarget = null
      })
    },
    { capture: true },
  )
}

/**
 * `ref` callback of a control, combined with `other` if given. Input made on the server-rendered page before
 * hydration is replayed as events.
 */
export function earlyInput<Element extends Control>(other?: Ref<Element>): RefCallback<Element> {
  return (control) => {
    const isEarly = control !== null && rendered.delete(control)
    // Read first, because `other` may set the value.
    const value = control?.value ?? ''
    if (typeof other === 'function') other(control)
    else if (other) other.current = control
    if (!isEarly) return
    // React hydrates on the first event. The `change` event of a choice is then still to come, and would
    // report the old value if the choice were replayed now.
    if (control instanceof HTMLSelectElement && control === inputTarget) return
    if (isCheckable(control)) replayCheck(control)
    else if (value !== renderedValue(control)) {
      control.value = renderedValue(control) ?? ''
      typeInto(control, value)
    }
  }
}

/** `earlyInput` for a control without another ref. */
export const takeEarlyInput = earlyInput<Control>()
