import type { Ref, RefCallback } from 'react'

/** Controls the server rendered, as long as the program has not taken them over. */
const rendered = new WeakSet<Element>()

/** What somebody chooses in at this moment. */
let chosenNow: EventTarget | null = null

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

/** Sets a value as typing does: set on the element itself, React would take it for its own. */
function typeInto(control: Control, value: string): void {
  const prototype: unknown = Object.getPrototypeOf(control)
  Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(control, value)
  const type = control instanceof HTMLSelectElement ? 'change' : 'input'
  control.dispatchEvent(new Event(type, { bubbles: true }))
}

function takeMark(control: HTMLInputElement): void {
  const { checked, defaultChecked, type } = control
  // Of a group of radio buttons the one that was chosen tells the others.
  if (checked === defaultChecked || (type === 'radio' && !checked)) return
  control.checked = defaultChecked
  control.click()
}

const isMark = (control: Control): control is HTMLInputElement =>
  control.type === 'radio' || control.type === 'checkbox'

/** What the server rendered into a text field or select. */
function renderedValue(control: Control): string | undefined {
  if (!(control instanceof HTMLSelectElement)) return control.defaultValue
  const options = [...control.options]
  return (options.find((option) => option.defaultSelected) ?? options[0])?.value
}

/** Says, before the page in `root` is hydrated, that its controls may have been used already. */
export function expectEarlyInput(root: HTMLElement): void {
  for (const control of root.querySelectorAll('input, textarea, select')) rendered.add(control)
  root.addEventListener(
    'input',
    ({ target }) => {
      chosenNow = target
      // The browser says `input` and `change` in one go.
      setTimeout(() => {
        chosenNow = null
      })
    },
    { capture: true },
  )
}

/**
 * The `ref` of a control, with another one if it has any: what was typed or chosen on the page the
 * server rendered, before there was a program to hear it, is told to the program as if it happened now.
 */
export function earlyInput<Element extends Control>(other?: Ref<Element>): RefCallback<Element> {
  return (control) => {
    const isEarly = control !== null && rendered.delete(control)
    // The other one may set the value.
    const value = control?.value ?? ''
    if (typeof other === 'function') other(control)
    else if (other) other.current = control
    if (!isEarly) return
    // React takes a page over at the first event on it. The `change` of a choice is still to come then, and
    // would say the old value if the choice had been told already.
    if (control instanceof HTMLSelectElement && control === chosenNow) return
    if (isMark(control)) takeMark(control)
    else if (value !== renderedValue(control)) {
      control.value = renderedValue(control) ?? ''
      typeInto(control, value)
    }
  }
}

/** The same for a control that has no other one. */
export const takeEarlyInput = earlyInput<Control>()
