import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { FieldMessage } from './fields.tsx'

const press = (type: 'pointerdown' | 'pointerup') => dispatchEvent(new PointerEvent(type))

test('what is wrong with a field goes at once, but not while a button is pressed', async () => {
  const shown = await render(<FieldMessage id="name" error="Enter your name." />)
  const message = page.getByText('Enter your name.')
  await expect.element(message).toBeVisible()
  press('pointerdown')
  await shown.rerender(<FieldMessage id="name" error={undefined} />)
  expect(message.elements()).toHaveLength(1)
  press('pointerup')
  await expect.element(message).not.toBeInTheDocument()
  await shown.rerender(<FieldMessage id="name" error="Enter your name." />)
  expect(message.elements()).toHaveLength(1)
  await shown.rerender(<FieldMessage id="name" error={undefined} />)
  expect(message.elements()).toHaveLength(0)
})
