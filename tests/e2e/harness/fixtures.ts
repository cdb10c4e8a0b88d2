import { AxeBuilder } from '@axe-core/playwright'
import {
  type Browser,
  type BrowserContext,
  test as base,
  expect,
  type Locator,
  type Page,
  type Request,
} from '@playwright/test'
import axe, { type Result, type RunOptions } from 'axe-core'
import { moveClock } from '#tests/harness/clock/move-clock.ts'
import { aheadMs } from '#tests/harness/clock/run-clock.ts'
import { findBareTexts, translatePage } from '#tests/harness/translation.ts'
import { act } from './booking.ts'
import { sizes } from './chromium.ts'
import { becomeOldSafari } from './old-safari.ts'
import { currentSite, type Site, withOwnSite } from './site.ts'

declare global {
  interface Window {
    axe: typeof axe
  }
}

const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/**
 * WCAG 2.5.8 exempts targets whose position is essential, such as pins on a map. The same providers are also
 * in the list, with targets of full size.
 */
const MAP_PIN = /data-pin=|map-cluster/

/** A sticky bar covers part of what is below it while the page scrolls. */
const BEHIND_STICKY_BAR = /partially obscured/

function isOutside(url: URL): boolean {
  const isNetwork = /^(https?|wss?):$/.test(url.protocol)
  return isNetwork && !['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)
}

/** A navigation cancels the previous page's open requests, which is not an error. */
function wasCancelled(request: Request): boolean {
  return request.failure()?.errorText === 'net::ERR_ABORTED'
}

/** Problems on the pages of one test, and the ones the test expects. */
class Problems {
  readonly #seen: string[] = []
  readonly #expected: RegExp[] = []

  /** Announces a problem before the action that causes it, such as a 404 response. It must then occur. */
  expect(...patterns: RegExp[]): void {
    this.#expected.push(...patterns)
  }

  add(problem: string): void {
    this.#seen.push(problem)
  }

  unexpected(): string[] {
    return this.#seen.filter((one) => !this.#expected.some((pattern) => pattern.test(one)))
  }

  missing(): RegExp[] {
    return this.#expected.filter((pattern) => !this.#seen.some((one) => pattern.test(one)))
  }
}

function recordProblems(context: BrowserContext, problems: Problems): void {
  context.on('console', (message) => {
    if (message.type() !== 'error' && message.type() !== 'warning') return
    problems.add(`console ${message.type()}: ${message.text()} (${message.location().url})`)
  })
  context.on('weberror', (event) => problems.add(`page error: ${event.error().message}`))
  context.on('requestfailed', (request) => {
    if (isOutside(new URL(request.url())) || wasCancelled(request)) return
    problems.add(`request failed: ${request.url()} ${request.failure()?.errorText ?? ''}`)
  })
  context.on('response', (response) => {
    if (response.status() < 400) return
    problems.add(`answered ${response.status()}: ${new URL(response.url()).pathname}`)
  })
  // The browser's own switches block such requests: Playwright routes would disable its HTTP cache.
  context.on('request', (request) => {
    if (isOutside(new URL(request.url()))) problems.add(`left for a stranger: ${request.url()}`)
  })
}

/** Cookies set by the demo's entrance and by answering the cookie banner. */
function returningVisitorCookies(
  url: string | undefined,
): Parameters<BrowserContext['addCookies']>[0] {
  if (url === undefined) throw new Error('The configuration has no site URL.')
  return [
    { name: 'demo_access_token', value: 'e2e', url },
    { name: 'consentID', value: crypto.randomUUID(), url },
  ]
}

/** Pages arrive rendered by the server; tests wait until they are hydrated. */
function waitForHydration(page: Page): void {
  const goto = page.goto.bind(page)
  const reload = page.reload.bind(page)
  const isLive = () => page.locator('[data-rendered]').waitFor({ state: 'detached' })
  page.goto = async (...args) => {
    const response = await goto(...args)
    await isLive()
    return response
  }
  page.reload = async (...args) => {
    const response = await reload(...args)
    await isLive()
    return response
  }
}

let tests = 0

/**
 * Playwright's `test` with a watch on every page of the context: console errors and warnings,
 * uncaught errors, failed or refused requests, and any request to another host fail the test,
 * unless it said `problems.expect(/answered 404/)` before.
 */
export const test = base.extend<
  {
    problems: Problems
    /** The shared site; a retry gets a site of its own, without the data of the first attempt. */
    site: Site
    isNewcomer: boolean
    /** Without everything that the oldest Safari of phones lacks. */
    isOldSafari: boolean
    /** The browser translates every page, as into another language, but with the same words. */
    isTranslated: boolean
    /** A page in a second browser of the same person, watched like the first. */
    secondPage: Page
  },
  { browser: Browser }
>({
  // Every page has the clock of the run, whoever opens it.
  browser: [
    async ({ browser }, provide) => {
      const newContext = browser.newContext.bind(browser)
      browser.newContext = async (options) => {
        const context = await newContext(options)
        if (aheadMs !== 0) await context.addInitScript(moveClock, aheadMs)
        return context
      }
      await provide(browser)
    },
    { scope: 'worker' },
  ],
  // Playwright reads the fixtures a function wants from its first parameter: this one wants none.
  // oxlint-disable-next-line no-empty-pattern
  problems: async ({}, provide) => provide(new Problems()),
  // oxlint-disable-next-line no-empty-pattern
  site: async ({}, provide, { retry }) =>
    retry > 0 ? withOwnSite(provide) : provide(currentSite()),
  baseURL: ({ site: { url } }, provide) => provide(url),
  // Every test has its own network, so that no test uses up another's rate limit.
  // oxlint-disable-next-line no-empty-pattern
  extraHTTPHeaders: async ({}, provide, { workerIndex }) => {
    tests += 1
    await provide({ 'x-forwarded-for': `10.${workerIndex % 256}.${tests >> 8}.${tests % 256}` })
  },
  // By default a returning visitor, past the demo's entrance and the cookie banner.
  // `test.use({ isNewcomer: true })` shows both.
  isNewcomer: [false, { option: true }],
  isOldSafari: [process.env['OLD_SAFARI'] === 'on', { option: true }],
  // What a browser does for people who read another language.
  isTranslated: [process.env['TRANSLATED'] === 'on', { option: true }],
  context: async (
    { context, problems, isNewcomer, isOldSafari, isTranslated, baseURL },
    provide,
  ) => {
    recordProblems(context, problems)
    if (!isNewcomer) await context.addCookies(returningVisitorCookies(baseURL))
    if (isOldSafari) await becomeOldSafari(context)
    if (isTranslated) await context.addInitScript(translatePage)
    await provide(context)
    expect(problems.unexpected(), 'the pages have no problems').toEqual([])
    expect(problems.missing(), 'the expected problems occurred').toEqual([])
  },
  secondPage: async ({ browser, problems, isTranslated, baseURL, context: _first }, provide) => {
    const second = await browser.newContext()
    recordProblems(second, problems)
    if (isTranslated) await second.addInitScript(translatePage)
    await second.addCookies(returningVisitorCookies(baseURL))
    await provide(await second.newPage())
    await second.close()
  },
  page: async ({ page, javaScriptEnabled }, provide) => {
    if (javaScriptEnabled) waitForHydration(page)
    await provide(page)
  },
})

/** `test` with a separate site: for changes that other tests would notice, such as another homepage. */
export const ownSiteTest = test.extend({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads from here what is wanted
  site: async ({}, provide) => withOwnSite(provide),
})

export { expect }

// Reports on passed rules would take longer than finding the violations, and no rule needs style sheets or media.
const AXE_OPTIONS = {
  preload: false,
  resultTypes: ['violations'],
  runOnly: { type: 'tag', values: WCAG },
} satisfies RunOptions

/** Violations of WCAG 2.2 AA on the page and in its frames. */
async function findViolations(page: Page): Promise<Result[]> {
  if (page.frames().length > 1) {
    return (await new AxeBuilder({ page }).options(AXE_OPTIONS).analyze()).violations
  }
  // The builder would send axe twice for every analysis, which is slow and fills the trace.
  const isLoaded = await page.evaluate(() => 'axe' in window)
  if (!isLoaded) await page.evaluate(axe.source)
  return page.evaluate(
    async (options) => (await window.axe.run(document, options)).violations,
    AXE_OPTIONS,
  )
}

/** Checks that the page does not overflow sideways and that axe finds no violation of WCAG 2.2 AA. */
async function checkWidth(page: Page): Promise<void> {
  const { wide, room } = await page.evaluate(async () => {
    await document.fonts.ready
    // One frame later, all resize handlers have run.
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    const { scrollWidth, clientWidth } = document.documentElement
    return { wide: scrollWidth, room: clientWidth }
  })
  // Checked first, because on a page wider than the phone later clicks hang without an error.
  expect(wide, 'the page is no wider than the screen').toBeLessThanOrEqual(room)
  const found = (await findViolations(page)).flatMap(({ id, help, nodes }) => {
    const where = nodes
      .filter(({ html, failureSummary = '' }) => {
        const isExcepted = MAP_PIN.test(html) || BEHIND_STICKY_BAR.test(failureSummary)
        return !(id === 'target-size' && isExcepted)
      })
      .map((node) => `${node.target.join(' ')}  ${node.failureSummary ?? ''}`)
    return where.length > 0 ? [{ rule: `${id}: ${help}`, where }] : []
  })
  expect(found, 'axe finds nothing').toEqual([])
  const bare = await page.evaluate(findBareTexts)
  expect(bare, 'every text has an element of its own (decision 059)').toEqual([])
}

/**
 * Checks the current screen at the project's width; in a test with `@once` in its title, which runs on the
 * phone only, at the desktop's width as well.
 */
export async function checkScreen(page: Page): Promise<void> {
  await checkWidth(page)
  const own = page.viewportSize()
  if (own === null || !test.info().tags.includes('@once')) return
  await page.setViewportSize(sizes.desktop)
  await checkWidth(page)
  await page.setViewportSize(own)
}

/** Below 768 pixels, menus are drawers and calendars show one day. */
export function isPhone(page: Page): boolean {
  return (page.viewportSize()?.width ?? 0) < 768
}

/** From 1024 pixels on, list and map are shown side by side; below that, one at a time. */
export function isWide(page: Page): boolean {
  return (page.viewportSize()?.width ?? 0) >= 1024
}

/** Opens `/home` and closes its modal. */
export async function openHome(page: Page): Promise<void> {
  await page.goto('/home')
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
}

/** The demo's people in the tests, and the page each of them starts on. */
const START_PAGES = {
  patient: '/home',
  provider: '/dochome',
  'provider-us': '/dochome',
  unverified: '/dochome',
  superuser: '/admin-home',
  editor: '/admin-home',
  author: '/admin-home',
} as const

type DemoPerson = keyof typeof START_PAGES

/** Signs in as one of the demo's people, without a page. */
export async function signInToDemo(page: Page, who: DemoPerson): Promise<void> {
  await act(page, 'auth.enterDemo', { email: `${who}@demo.example` })
}

/** Signs in as one of the demo's people without the pages of its entrance, and opens an address. */
export async function enterDemo(
  page: Page,
  who: DemoPerson,
  address: string = START_PAGES[who],
): Promise<void> {
  await signInToDemo(page, who)
  await page.goto(address)
}

/** Signs in as one of the demo's people by its entrance; their first page opens with its heading focused. */
export async function pressDemoEntrance(page: Page, who: DemoPerson): Promise<void> {
  await page.goto('/')
  await page.getByRole('button', { name: `(${who}@demo.example)` }).click()
  await expect(page).toHaveURL(START_PAGES[who])
}

/** Presses Tab, or another key, until the target has the focus; gives up after a while. */
export async function tabTo(page: Page, target: Locator, key = 'Tab'): Promise<void> {
  await expect(target).toBeVisible()
  for (let presses = 0; presses < 80; presses += 1) {
    if (await target.evaluate((node) => node === document.activeElement)) return
    await page.keyboard.press(key)
  }
  throw new Error(`The focus never reached ${String(target)}`)
}

/**
 * Presses Tab many times; returns the controls whose focus ring is cut off, by a scrolling box or the side of the
 * window.
 */
export async function findCutRings(page: Page, presses: number): Promise<string[]> {
  const cut = new Set<string>()
  for (let pressed = 0; pressed < presses; pressed += 1) {
    // One key after the other.
    await page.keyboard.press('Tab')
    const name = await page.evaluate(() => {
      const control = document.activeElement
      if (!(control instanceof HTMLElement) || control === document.body) return null
      const { outlineWidth, outlineOffset, outlineStyle } = getComputedStyle(control)
      if (outlineStyle === 'none') return null
      const ring = Number.parseFloat(outlineWidth) + Number.parseFloat(outlineOffset)
      const { left, right, top, bottom } = control.getBoundingClientRect()
      const isIn = (box: DOMRect) =>
        left - ring >= box.left - 0.5 && right + ring <= box.right + 0.5
      const isBetween = (box: DOMRect) =>
        top - ring >= box.top - 0.5 && bottom + ring <= box.bottom + 0.5
      const window = new DOMRect(0, 0, document.documentElement.clientWidth, 0)
      let isWhole = isIn(window)
      for (let box = control.parentElement; box && box !== document.body; box = box.parentElement) {
        if (getComputedStyle(box).overflowX === 'visible') continue
        const edges = box.getBoundingClientRect()
        isWhole &&= isIn(edges) && isBetween(edges)
      }
      return isWhole ? null : control.innerText
    })
    if (name !== null) cut.add(name)
  }
  return [...cut]
}

/** The box for a postcode, ZIP code or town. */
export function placeBox(page: Page): Locator {
  return page.getByRole('combobox', { name: /^(Postcode|ZIP code) or town$/ })
}

/** The names in the list of results, from the top. */
export function resultNames(page: Page): Locator {
  return page.getByRole('list', { name: 'Results' }).getByRole('heading', { level: 3 })
}

/** Waits until the list shows the latest search. */
export async function waitForResults(page: Page): Promise<void> {
  await expect(page.getByRole('list', { name: 'Results' })).toHaveAttribute('aria-busy', 'false')
  await expect(resultNames(page).first()).toBeVisible()
}

/** A query parameter of the current URL; null when it is missing. */
export function queryParam(page: Page, name: string): string | null {
  return new URL(page.url()).searchParams.get(name)
}

/** The address of results in central London, with additional parameters. */
export function london(more: Record<string, string> = {}): string {
  return `/results?${new URLSearchParams({ selectedRegion: 'uk', postcode: 'SE1 6ET', ...more })}`
}

/** A last name unique in the run. */
export function uniqueName(): string {
  return `O'Neill-${crypto.randomUUID().replaceAll(/[^a-f]/g, '')}`
}
