import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { isPage } from './routes.ts'

/** Addresses of the SPA's routes, from their file names, with parameters filled in. */
function addresses(): string[] {
  return (
    readdirSync(new URL('../../src/routes', import.meta.url))
      // The root and layout routes have no address.
      .filter((file) => file.endsWith('.tsx') && !/^__|\.test\.|^_\w+\.tsx$/.test(file))
      .map((file) => file.slice(0, -'.tsx'.length).replace(/^_\w+\./, ''))
      .map((name) => `/${name.replace(/(?:^|\.)index$/, '').replaceAll('.', '/')}`)
      .map((path) => path.replaceAll(/\$\w+/g, 'x-1'))
  )
}

test('the server knows every route of the site, with and without a trailing slash', () => {
  const all = addresses()
  expect(all.length).toBeGreaterThan(10)
  for (const address of all) {
    expect([address, isPage(address)]).toEqual([address, true])
    expect(isPage(address === '/' ? '/' : `${address}/`)).toBe(true)
  }
})

test.each(['/homes', '/home/more', '/doctor-profile', '/doctor-profile/x', '/x', '//', '/Home'])(
  '%s is not a page',
  (path) => {
    expect(isPage(path)).toBe(false)
  },
)
