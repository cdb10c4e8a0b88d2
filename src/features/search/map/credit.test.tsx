import { expect, test } from 'vitest'
import { render } from 'vitest-browser-react'
import { Credit, creditParts } from './map-controls.tsx'

test('links of a credit stay links and the rest stays text', () => {
  expect(
    creditParts('&copy; <a href="https://example.org/copyright">Example</a> and others'),
  ).toEqual([
    { text: '© ', href: null },
    { text: 'Example', href: 'https://example.org/copyright' },
    { text: ' and others', href: null },
  ])
})

test('no other mark-up and no other scheme gets through', () => {
  expect(
    creditParts('<img src=x onerror=alert(1)>Tiles <a href="javascript:alert(1)">here</a>'),
  ).toEqual([
    { text: 'Tiles ', href: null },
    { text: 'here', href: null },
  ])
})

test('without tiles the sources of our own map are named', async () => {
  const screen = await render(<Credit region="uk" tiles={null} />)
  await expect.element(screen.getByText(/OS data © Crown copyright/)).toBeVisible()
})
