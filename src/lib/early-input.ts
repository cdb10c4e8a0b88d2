/** Controls the server rendered, as long as the program has not taken them over. */
const rendered = new WeakSet<Element>()

type Text = HTMLInputElement | HTMLTextAreaElement

/** Sets a value as typing does: set on the element itself, React would take it for its own. */
function typeInto(control: Text, value: string): void {
  const prototype: unknown = Object.getPrototypeOf(control)
  Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(control, value)
  control.dispatchEvent(new Event('input', { bubbles: true }))
}

function takeText(control: Text): void {
  const typed = control.value
  if (typed === control.defaultValue) return
  control.value = control.defaultValue
  typeInto(control, typed)
}

function takeMark(control: HTMLInputElement): void {
  const { checked, defaultChecked, type } = control
  // Of a group of radio buttons the one that was chosen tells the others.
  if (checked === defaultChecked || (type === 'radio' && !checked)) return
  control.checked = defaultChecked
  control.click()
}

function takeChoice(control: HTMLSelectElement): void {
  const options = [...control.options]
  const given = options.find((option) => option.defaultSelected) ?? options[0]
  if (given === undefined || control.value === given.value) return
  control.dispatchEvent(new Event('change', { bubbles: true }))
}

/** Says, before the page in `root` is hydrated, that its controls may have been used already. */
export function expectEarlyInput(root: HTMLElement): void {
  for (const control of root.querySelectorAll('input, textarea, select')) rendered.add(control)
}

/**
 * As the `ref` of a control: what was typed or chosen on the page the server rendered, before there
 * was a program to hear it, is told to the program as if it happened now.
 */
export function takeEarlyInput(control: Text | HTMLSelectElement | null): void {
  if (control === null || !rendered.delete(control)) return
  if (control instanceof HTMLSelectElement) takeChoice(control)
  else if (control.type === 'radio' || control.type === 'checkbox') {
    if (control instanceof HTMLInputElement) takeMark(control)
  } else takeText(control)
}
