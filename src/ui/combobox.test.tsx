import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { Combobox } from './combobox.tsx'

const all = ['Leeds', 'Leek', 'Leicester'].map((label) => ({ label, value: label, detail: '' }))

function Places() {
  const [text, setText] = useState('')
  const suggestions = all.filter(
    (one) => text.length > 1 && one.label.toLowerCase().startsWith(text.toLowerCase()),
  )
  return (
    <Combobox
      id="place"
      label="Place"
      value={text}
      suggestions={suggestions}
      onType={setText}
      onPick={(suggestion) => setText(suggestion.value)}
    />
  )
}

const box = () => page.getByRole('combobox', { name: 'Place' })
const options = () =>
  page
    .getByRole('option')
    .elements()
    .map((one) => one.textContent)

test('completions appear while typing and the list says so', async () => {
  await render(<Places />)
  await expect.element(box()).toHaveAttribute('aria-expanded', 'false')
  await box().fill('lee')
  await expect.element(box()).toHaveAttribute('aria-expanded', 'true')
  expect(options()).toEqual(['Leeds', 'Leek'])
})

test('the arrows go through the list and back to the text, Enter takes the marked one', async () => {
  await render(<Places />)
  await box().fill('lee')
  await userEvent.keyboard('{ArrowDown}{ArrowDown}')
  await expect
    .element(page.getByRole('option', { name: 'Leek' }))
    .toHaveAttribute('aria-selected', 'true')
  await userEvent.keyboard('{ArrowDown}')
  await expect.element(box()).not.toHaveAttribute('aria-activedescendant')
  await userEvent.keyboard('{ArrowUp}{Enter}')
  await expect.element(box()).toHaveValue('Leek')
  await expect.element(box()).toHaveAttribute('aria-expanded', 'false')
})

test('suggestions that arrive while one is marked leave the mark on it, or on none', async () => {
  const suggest = (...labels: string[]) => all.filter(({ label }) => labels.includes(label))
  const picked = vi.fn<() => void>()
  const show = (suggestions: typeof all) => (
    <Combobox
      id="place"
      label="Place"
      value="le"
      suggestions={suggestions}
      onType={() => {}}
      onPick={picked}
    />
  )
  const { rerender } = await render(show(suggest('Leek', 'Leicester')))
  await box().click()
  await userEvent.keyboard('{ArrowDown}')
  await rerender(show(all))
  expect(page.getByRole('option', { selected: true }).element()).toHaveTextContent('Leek')
  await rerender(show(suggest('Leeds')))
  expect(box().element()).not.toHaveAttribute('aria-activedescendant')
  await userEvent.keyboard('{Enter}')
  expect(picked).not.toHaveBeenCalled()
})

test('Escape closes the list and keeps the text', async () => {
  await render(<Places />)
  await box().fill('lei')
  await userEvent.keyboard('{Escape}')
  await expect.element(box()).toHaveValue('lei')
  await expect.element(box()).toHaveAttribute('aria-expanded', 'false')
})

test('a press on a completion takes it and leaves focus in the field', async () => {
  await render(<Places />)
  await box().fill('lei')
  await page.getByRole('option', { name: 'Leicester' }).click()
  await expect.element(box()).toHaveValue('Leicester')
  await expect.element(box()).toHaveFocus()
})

test('leaving the field closes the list, and any text may stay', async () => {
  await render(<Places />)
  await box().fill('lee')
  await userEvent.keyboard('{Tab}')
  await expect.element(box()).toHaveAttribute('aria-expanded', 'false')
  await expect.element(box()).toHaveValue('lee')
})
