import { useState } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import type { Region } from '#contract/base/region.ts'
import { type ResultPin, ResultsMapLazy, type SearchArea } from './results-map-lazy.tsx'

const center = { lat: 51.5, lon: -0.09, label: 'SE1 6ET' }
const pins: ResultPin[] = Array.from({ length: 90 }, (_, i) => ({
  id: `p${i}`,
  number: i < 10 ? i + 1 : null,
  lat: center.lat + Math.sin(i) * 0.008 * (i < 10 ? 2 : 1),
  lon: center.lon + Math.cos(i) * 0.014 * (i < 10 ? 2 : 1),
  name: `Dr Number ${i + 1}`,
  distanceLabel: '1.2 miles away',
}))

const realMatchMedia = matchMedia.bind(window)

beforeEach(async () => {
  // The map moves as it does for most people, although the tests' browser prefers stillness.
  vi.stubGlobal('matchMedia', (query: string) =>
    realMatchMedia(query.replace('motion: reduce', 'motion: no-preference')),
  )
  await page.viewport(900, 700)
  // The backdrop is not under test, and there is no server to send it.
  vi.stubGlobal('fetch', () => Promise.resolve(new Response('', { status: 503 })))
})
afterEach(() => vi.unstubAllGlobals())

const onSearchArea = vi.fn<(area: SearchArea) => void>()

type Place = { region: Region; center: typeof center; radiusMiles: number; pins: ResultPin[] }
const london: Place = { region: 'uk', center, radiusMiles: 3, pins }

function Page({ tileUrl = null, at = london }: { tileUrl?: string | null; at?: Place }) {
  const [selectedId, setSelectedId] = useState<string | null>(null)
  const [hoveredId, setHoveredId] = useState<string | null>(null)
  return (
    <>
      <p>Hovered: {hoveredId ?? 'none'}</p>
      <div style={{ width: 800, height: 600 }}>
        <ResultsMapLazy
          {...at}
          selectedId={selectedId}
          hoveredId={hoveredId}
          onSelect={setSelectedId}
          onHover={setHoveredId}
          onSearchArea={onSearchArea}
          renderCard={(id) => <a href={`/doctor-profile/${id}`}>Profile of {id}</a>}
          tileUrl={tileUrl}
          tileAttribution={tileUrl && '© <a href="https://tiles.example/">Tiles</a>'}
          totalLabel="90 dentists"
        />
      </div>
    </>
  )
}

test('a place beyond the map, such as Guam, still has its pins in view', async () => {
  const guam = { lat: 13.48, lon: 144.8, label: '96910' }
  const [first] = pins.map((pin) => ({ ...pin, lat: 13.47, lon: 144.83 }))
  const screen = await render(
    <Page at={{ region: 'usa', center: guam, radiusMiles: 50, pins: first ? [first] : [] }} />,
  )
  const button = screen.getByRole('button', { name: /^1, Dr Number 1, / })
  await expect.element(button).toBeVisible()
  const map = screen.getByRole('application').element().getBoundingClientRect()
  const { left, top } = button.element().getBoundingClientRect()
  expect(Math.abs(left - map.left - map.width / 2)).toBeLessThan(map.width / 4)
  expect(Math.abs(top - map.top - map.height / 2)).toBeLessThan(map.height / 4)
})

test('the pins of the list are buttons that say who and how far', async () => {
  const screen = await render(<Page />)
  const name = '3, Dr Number 3, 1.2 miles away'
  await expect.element(screen.getByRole('button', { name, exact: true })).toBeVisible()
  await expect.element(screen.getByText('90 dentists')).toBeVisible()
})

test('with many in view the others are counted together, and a press looks closer', async () => {
  const screen = await render(<Page />)
  const cluster = screen.getByRole('button', { name: /^Show \d+ more here$/ })
  await expect.element(cluster.first()).toBeVisible()
  const before = cluster.elements().length
  const scale = screen.container.querySelector('.map-scale')?.textContent
  await cluster.first().click({ force: true })
  await expect.poll(() => screen.container.querySelector('.map-scale')?.textContent).not.toBe(scale)
  expect(before).toBeGreaterThan(0)
})

test('a pin opens its card by keyboard, Escape closes it and gives the focus back', async () => {
  const screen = await render(<Page />)
  const pin = screen.getByRole('button', { name: /^3, / })
  await expect.element(pin).toBeVisible()
  pin.element().focus()
  await expect.element(screen.getByText('Hovered: p2')).toBeVisible()
  await userEvent.keyboard('{Enter}')
  await expect.element(screen.getByRole('dialog', { name: 'Dr Number 3' })).toHaveFocus()
  await expect.element(screen.getByRole('link', { name: 'Profile of p2' })).toBeVisible()
  await expect.element(pin).toHaveAttribute('aria-pressed', 'true')
  await userEvent.keyboard('{Escape}')
  await expect.element(screen.getByRole('dialog')).not.toBeInTheDocument()
  await expect.element(pin).toHaveFocus()
})

test('the card has a button that closes it', async () => {
  const screen = await render(<Page />)
  await screen.getByRole('button', { name: /^7, / }).click()
  await screen.getByRole('button', { name: 'Close Dr Number 7' }).click()
  await expect.element(screen.getByRole('dialog')).not.toBeInTheDocument()
})

test('a new search is offered only after the person moves the map', async () => {
  const screen = await render(<Page />)
  const offer = screen.getByRole('button', { name: 'Search this area' })
  await expect.element(screen.getByRole('button', { name: /^3, / })).toBeVisible()
  await expect.element(offer).not.toBeInTheDocument()
  await screen.getByRole('button', { name: 'Zoom out', exact: true }).click()
  await offer.click()
  expect(onSearchArea).toHaveBeenCalledOnce()
  const [area] = onSearchArea.mock.calls[0] ?? []
  expect(area?.radiusMiles).toBe(25)
  expect(area?.lat).toBeCloseTo(center.lat, 2)
  await expect.element(offer).not.toBeInTheDocument()
})

test('the keyboard stays on the map when its own button goes or has nothing more to do', async () => {
  const screen = await render(<Page />)
  const closer = screen.getByRole('button', { name: 'Zoom in', exact: true })
  await expect.element(screen.getByRole('button', { name: /^3, / })).toBeVisible()
  closer.element().focus()
  // From zoom 11 or so to 16, with time for each step to come to rest.
  for (let press = 0; press < 8; press += 1) {
    await userEvent.keyboard('{Enter}')
    await new Promise((resolve) => setTimeout(resolve, 350))
  }
  expect(document.activeElement).toBe(closer.element())
  const back = screen.getByRole('button', { name: 'Back to SE1 6ET' })
  back.element().focus()
  await userEvent.keyboard('{Enter}')
  await expect.element(back).not.toBeInTheDocument()
  expect(document.activeElement).toBe(screen.getByRole('application').element())
})

test('tiles are asked for only from the address given, and credited', async () => {
  const screen = await render(
    <Page tileUrl="data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7#{z}/{x}/{y}" />,
  )
  await expect.element(screen.getByRole('link', { name: 'Tiles' })).toBeVisible()
  const sources = () => [...screen.container.querySelectorAll('img')].map((image) => image.src)
  await expect.poll(() => sources().length).toBeGreaterThan(0)
  for (const source of sources()) expect(source).toMatch(/^data:image\/gif/)
})
