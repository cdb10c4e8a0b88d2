import './styles.css'
import { type ReactNode, useState } from 'react'
import { afterEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { Dialog, Sheet } from './dialog.tsx'
import { showToast, Toaster } from './toast.tsx'

afterEach(() => page.viewport(1280, 900))

function Opened({ children, footer }: { children: ReactNode; footer?: ReactNode }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Open
      </button>
      <Dialog isOpen={isOpen} onClose={() => setOpen(false)} title="Something" footer={footer}>
        {children}
      </Dialog>
    </>
  )
}

const open = () => page.getByRole('button', { name: 'Open' })

test('a form opens at its first field that can be filled in, and gives the focus back', async () => {
  await render(
    <Opened>
      <input aria-label="As it is" readOnly />
      <input aria-label="Name" />
    </Opened>,
  )
  await open().click()
  await expect.element(page.getByRole('textbox', { name: 'Name' })).toHaveFocus()
  await userEvent.keyboard('{Escape}')
  await expect.element(open()).toHaveFocus()
})

test('what comes before the first field is not scrolled away', async () => {
  await render(
    <Opened>
      <button type="button">10:20</button>
      <textarea aria-label="Message" />
    </Opened>,
  )
  await open().click()
  await expect.element(page.getByRole('button', { name: 'Close' })).toHaveFocus()
})

test('a text over its buttons takes the focus, so that it can be scrolled by keyboard', async () => {
  await render(
    <Opened footer={<button type="button">Delete it</button>}>
      <p style={{ height: '300vh' }}>So much would be lost.</p>
    </Opened>,
  )
  await open().click()
  await expect.element(page.getByRole('button', { name: 'Close' })).toHaveFocus()
  await userEvent.tab()
  const text = page.getByText('So much would be lost.').element().parentElement
  expect(document.activeElement).toBe(text)
})

test('a question opens at what does nothing: closing it', async () => {
  await render(
    <Opened>
      <button type="button">Delete it</button>
    </Opened>,
  )
  await open().click()
  await expect.element(page.getByRole('button', { name: 'Close' })).toHaveFocus()
})

test.each([
  ['dialog', 360, Dialog],
  ['sheet', 360, Sheet],
  ['dialog', 820, Dialog],
  ['sheet', 1280, Sheet],
] as const)(
  'a message does not cover the buttons of an open %s on a screen %d pixels wide',
  async (_, width, Shape) => {
    await page.viewport(width, 640)
    await render(
      <>
        <Shape
          isOpen
          onClose={() => undefined}
          title="Something"
          footer={<button type="button">Delete it</button>}
        >
          <p style={{ height: '300vh' }}>So much would be lost.</p>
        </Shape>
        <Toaster />
      </>,
    )
    const action = page.getByRole('button', { name: 'Delete it' })
    await expect.element(action).toBeVisible()
    await showToast('The place is saved.')
    const message = page.getByRole('dialog').filter({ hasText: 'The place is saved.' })
    await expect.element(message).toBeVisible()
    const footer = action.element().parentElement?.getBoundingClientRect()
    expect(message.element().getBoundingClientRect().bottom).toBeLessThan(footer?.top ?? 0)
  },
)
