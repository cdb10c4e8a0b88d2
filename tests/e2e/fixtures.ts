import { AxeBuilder } from '@axe-core/playwright'
import {
  type BrowserContext,
  test as base,
  expect,
  type Page,
  type Request,
} from '@playwright/test'
import { sizes } from './chromium.ts'
import { currentSite, type Site, withOwnSite } from './site.ts'

const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/**
 * WCAG 2.5.8 excepts targets whose place is their meaning, such as pins on a map: moved apart they
 * would lie. Whoever they stand for is in the list as well, behind a target of full size.
 */
const MAP_PIN = /data-pin=|map-cluster/

/** A bar that stays in place while the page scrolls covers some of whatever is below it at the moment. */
const BELOW_A_BAR = /partially obscured/

function isOutside(url: URL): boolean {
  const isNetwork = /^(https?|wss?):$/.test(url.protocol)
  return isNetwork && !['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)
}

/** A navigation cancels what the page before it still wanted: nothing is wrong then. */
function wasCancelled(request: Request): boolean {
  return request.failure()?.errorText === 'net::ERR_ABORTED'
}

/** What went wrong on the pages of one test, and what the test means to provoke. */
class Problems {
  readonly #seen: string[] = []
  readonly #expected: RegExp[] = []

  /** Says before the act what it will break, such as an answer of 404. It must then happen. */
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

function watch(context: BrowserContext, problems: Problems): void {
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
  // It is stopped by the browser's own switches: routes would take every request out of its cache.
  context.on('request', (request) => {
    if (isOutside(new URL(request.url()))) problems.add(`left for a stranger: ${request.url()}`)
  })
}

/** What the demo's door and the answered cookie banner leave behind. */
function wasHere(url: string | undefined): Parameters<BrowserContext['addCookies']>[0] {
  if (url === undefined) throw new Error('The configuration names no site.')
  return [
    { name: 'demo_access_token', value: 'e2e', url },
    { name: 'consentID', value: crypto.randomUUID(), url },
  ]
}

/** Pages come drawn by the server; tests act on the ones their program has made live. */
function waitForProgram(page: Page): void {
  const goto = page.goto.bind(page)
  const reload = page.reload.bind(page)
  const isLive = () => page.locator('[data-drawn]').waitFor({ state: 'detached' })
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
export const test = base.extend<{
  problems: Problems
  /** The site all share; a second try has one of its own, without what the first one left behind. */
  site: Site
  isNewcomer: boolean
  /** A page of another browser of the same person, watched as the first one is. */
  secondPage: Page
}>({
  // Playwright reads the fixtures a function wants from its first parameter: this one wants none.
  // oxlint-disable-next-line no-empty-pattern
  problems: async ({}, provide) => provide(new Problems()),
  // oxlint-disable-next-line no-empty-pattern
  site: async ({}, provide, { retry }) =>
    retry > 0 ? withOwnSite(provide) : provide(currentSite()),
  baseURL: ({ site: { url } }, provide) => provide(url),
  // Every test comes from a network of its own, so that none uses up another's budget of calls.
  // oxlint-disable-next-line no-empty-pattern
  extraHTTPHeaders: async ({}, provide, { workerIndex }) => {
    tests += 1
    await provide({ 'x-forwarded-for': `10.${workerIndex % 256}.${tests >> 8}.${tests % 256}` })
  },
  // Whether the browser has been here before: the demo's door and the cookie banner lie behind it.
  // `test.use({ isNewcomer: true })` meets them both.
  isNewcomer: [false, { option: true }],
  context: async ({ context, problems, isNewcomer, baseURL }, provide) => {
    watch(context, problems)
    if (!isNewcomer) await context.addCookies(wasHere(baseURL))
    await provide(context)
    expect(problems.unexpected(), 'the pages stay free of problems').toEqual([])
    expect(problems.missing(), 'what was expected to go wrong did').toEqual([])
  },
  secondPage: async ({ browser, problems, baseURL, context: _first }, provide) => {
    const second = await browser.newContext()
    watch(second, problems)
    await second.addCookies(wasHere(baseURL))
    await provide(await second.newPage())
    await second.close()
  },
  page: async ({ page, javaScriptEnabled }, provide) => {
    if (javaScriptEnabled) waitForProgram(page)
    await provide(page)
  },
})

export { expect }

/** Nothing sticks out sideways, and axe finds no breach of WCAG 2.2 AA. */
async function checkWidth(page: Page): Promise<void> {
  const { wide, room } = await page.evaluate(async () => {
    await document.fonts.ready
    // A frame later everything has heard of its width.
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    const { scrollWidth, clientWidth } = document.documentElement
    return { wide: scrollWidth, room: clientWidth }
  })
  // First, because a page wider than a phone makes later clicks hang without a word.
  expect(wide, 'the page is no wider than the screen').toBeLessThanOrEqual(room)
  const { violations } = await new AxeBuilder({ page })
    // Describing everything that is right as well takes longer than finding what is wrong.
    .options({ resultTypes: ['violations'] })
    .withTags(WCAG)
    // In one go, where no frame has to be asked on its own and put together on a page of its own.
    .setLegacyMode(page.frames().length === 1)
    .analyze()
  const found = violations.flatMap(({ id, help, nodes }) => {
    const where = nodes
      .filter(({ html, failureSummary = '' }) => {
        const isExcepted = MAP_PIN.test(html) || BELOW_A_BAR.test(failureSummary)
        return !(id === 'target-size' && isExcepted)
      })
      .map((node) => `${node.target.join(' ')}  ${node.failureSummary ?? ''}`)
    return where.length > 0 ? [{ rule: `${id}: ${help}`, where }] : []
  })
  expect(found, 'axe finds nothing').toEqual([])
}

/**
 * The screen as it stands, at the width of the project; in a journey that is taken on the phone only,
 * `@once` in its title, at the desktop's as well.
 */
export async function checkScreen(page: Page): Promise<void> {
  await checkWidth(page)
  const own = page.viewportSize()
  if (own === null || !test.info().tags.includes('@once')) return
  await page.setViewportSize(sizes.desktop)
  await checkWidth(page)
  await page.setViewportSize(own)
}
