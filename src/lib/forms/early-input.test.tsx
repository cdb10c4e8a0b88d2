import { flushSync } from 'react-dom'
import { hydrateRoot, type Root } from 'react-dom/client'
import { renderToString } from 'react-dom/server'
import { afterEach, expect, test, vi } from 'vitest'
import { registerEarlyInput, takeEarlyInput } from './early-input.ts'

let hydrated: Root | undefined
afterEach(() => hydrated?.unmount())

/** A server-rendered page with a select that is not hydrated yet. */
function makePage(onChoice: (value: string) => void) {
  const page = (
    <select
      ref={takeEarlyInput}
      value="near"
      onChange={({ target }) => onChoice(target.value)}
      aria-label="Sort by"
    >
      <option value="near">Nearest first</option>
      <option value="cheap">Lowest fee first</option>
    </select>
  )
  const root = document.createElement('div')
  root.innerHTML = renderToString(page)
  document.body.append(root)
  const select = root.querySelector('select')
  if (select === null) throw new Error('the page has a select')
  const hydrate = () => flushSync(() => (hydrated = hydrateRoot(root, page)))
  return { root, select, hydrate }
}

/** Chooses an option with the events that browsers dispatch. */
function choose(select: HTMLSelectElement, value: string) {
  select.value = value
  select.dispatchEvent(new Event('input', { bubbles: true }))
  select.dispatchEvent(new Event('change', { bubbles: true }))
}

test('what was chosen before the program came is told to it', () => {
  const onChoice = vi.fn<(value: string) => void>()
  const { root, select, hydrate } = makePage(onChoice)
  select.value = 'cheap'
  registerEarlyInput(root)
  hydrate()
  expect(onChoice.mock.calls).toEqual([['cheap']])
})

test('a choice that brings the program is told once, and is not taken back', () => {
  const onChoice = vi.fn<(value: string) => void>()
  const { root, select, hydrate } = makePage(onChoice)
  registerEarlyInput(root)
  // React hydrates synchronously, in the middle of the first event.
  root.addEventListener('input', hydrate, { capture: true, once: true })
  choose(select, 'cheap')
  expect(onChoice.mock.calls).toEqual([['cheap']])
})
