import type { ReactElement } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { render } from 'vitest-browser-react'
import { lazyPart } from './lazy-part.tsx'

afterEach(() => vi.restoreAllMocks())

const LOST = 'The greeting could not be loaded.'

function Greeting({ name }: { name: string }) {
  return <p>Hello {name}</p>
}

type Load = () => Promise<(props: { name: string }) => ReactElement>

/** A lazily loaded greeting, and the mock that counts how often it was loaded. */
function lateGreeting(load: Load) {
  const asked = vi.fn<Load>(load)
  const Late = lazyPart(asked, { pending: <p>On its way</p>, lost: LOST })
  return { asked, Late }
}

function cutNetwork() {
  const online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  const fetching = vi.spyOn(globalThis, 'fetch').mockRejectedValue(new TypeError('Failed to fetch'))
  dispatchEvent(new Event('offline'))
  return {
    /** Requests arrive again; the browser itself may notice only later. */
    mend: () => fetching.mockResolvedValue(new Response()),
    noticeIt: () => {
      online.mockReturnValue(true)
      dispatchEvent(new Event('online'))
    },
  }
}

test('something stands in until the part is there, and a second one stands at once', async () => {
  const { promise, resolve } = Promise.withResolvers<typeof Greeting>()
  const { Late, asked } = lateGreeting(() => promise)
  const screen = await render(<Late name="Ada" />)
  await expect.element(screen.getByText('On its way')).toBeVisible()
  resolve(Greeting)
  await expect.element(screen.getByText('Hello Ada')).toBeVisible()
  await screen.rerender(<Late name="Grace" key="another" />)
  expect(screen.container.textContent).toBe('Hello Grace')
  expect(asked).toHaveBeenCalledOnce()
})

test('a part that fails says so in its place, the rest stays, and a reload is offered', async () => {
  const { Late } = lateGreeting(() => Promise.reject(new Error('gone')))
  const screen = await render(
    <>
      <p>The rest</p>
      <Late name="Ada" />
    </>,
  )
  await expect.element(screen.getByRole('status').getByText(LOST)).toBeVisible()
  await expect.element(screen.getByRole('button', { name: 'Reload the page' })).toBeVisible()
  await expect.element(screen.getByText('The rest')).toBeVisible()
})

test('offline nothing is asked for in vain; back online the part comes by itself', async () => {
  const { noticeIt } = cutNetwork()
  const { Late, asked } = lateGreeting(() => Promise.resolve(Greeting))
  const screen = await render(<Late name="Ada" />)
  await expect.element(screen.getByRole('status').getByText(LOST)).toBeVisible()
  expect(asked).not.toHaveBeenCalled()
  noticeIt()
  await expect.element(screen.getByText('Hello Ada')).toBeVisible()
  await expect.element(screen.getByText(LOST)).not.toBeInTheDocument()
})

test('“Try again” tries: it says when there is still no connection, and loads once there is', async () => {
  const { mend } = cutNetwork()
  const { Late, asked } = lateGreeting(() => Promise.resolve(Greeting))
  const screen = await render(<Late name="Ada" />)
  const again = screen.getByRole('button', { name: 'Try again' })
  await again.click()
  await expect.element(screen.getByText('There is still no connection.')).toBeVisible()
  expect(asked).not.toHaveBeenCalled()
  mend()
  await again.click()
  await expect.element(screen.getByText('Hello Ada')).toBeVisible()
})
