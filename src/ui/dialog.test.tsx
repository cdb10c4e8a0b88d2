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

/** A list whose only row is removed some time after its dialog was closed, as when the list is fetched again. */
function List({ removeAfterMs }: { removeAfterMs: number }) {
  const [isOpen, setOpen] = useState(false)
  const [hasRow, setRow] = useState(true)
  const close = () => {
    setOpen(false)
    setTimeout(() => setRow(false), removeAfterMs)
  }
  return (
    <>
      <section>
        <h2>Saved</h2>
        {hasRow && (
          <button type="button" onClick={() => setOpen(true)}>
            Remove
          </button>
        )}
      </section>
      <button type="button">Elsewhere</button>
      <Dialog isOpen={isOpen} onClose={close} title="Really?">
        <button type="button" onClick={close}>
          Yes
        </button>
      </Dialog>
    </>
  )
}

const press = (name: string) => page.getByRole('button', { name, exact: true }).click()

test.each([0, 400])(
  'a row that is gone %d ms after its dialog leaves the focus at its heading',
  async (removeAfterMs) => {
    await render(<List removeAfterMs={removeAfterMs} />)
    await press('Remove')
    await press('Yes')
    await expect.element(page.getByRole('heading', { name: 'Saved' })).toHaveFocus()
  },
)

test('focus that has moved on since stays where it is', async () => {
  await render(<List removeAfterMs={400} />)
  await press('Remove')
  await press('Yes')
  await press('Elsewhere')
  await expect.element(page.getByRole('button', { name: 'Remove' })).not.toBeInTheDocument()
  await expect.element(page.getByRole('button', { name: 'Elsewhere' })).toHaveFocus()
})
