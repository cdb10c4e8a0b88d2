import { type Browser, type BrowserContext, chromium } from '@playwright/test'
import * as z from 'zod/mini'
import { type Bar, type BenchOptions, type Measure, percentile } from '#bench/bar.ts'
import { openSite } from '#bench/demo-server.ts'
import { SearchResults } from '#contract/search.ts'
import { chromiumArgs, chromiumPath, sizes } from '#tests/e2e/harness/chromium.ts'

// Lighthouse's phone, as it throttles through DevTools: a processor four times slower, on slow 4G.
const SLOWDOWN = 4
const BYTES_PER_KILOBIT = 1_024 / 8
const SLOW_4G = {
  offline: false,
  latency: 562.5,
  downloadThroughput: 1_474.56 * BYTES_PER_KILOBIT,
  uploadThroughput: 675 * BYTES_PER_KILOBIT,
}
const ROUNDS = 5

const Answer = z.object({ result: z.object({ data: SearchResults }) })

/** The address of a provider's profile. */
async function profilePath(site: string): Promise<string> {
  const input = encodeURIComponent(JSON.stringify({ selectedRegion: 'uk', postcode: 'SE1 6ET' }))
  const answer: unknown = await (await fetch(`${site}/trpc/search.providers?input=${input}`)).json()
  const [first] = Answer.parse(answer).result.data.results
  if (first === undefined) throw new Error('The demo has nobody near SE1 6ET.')
  return `/doctor-profile/${first.id}/0.4?region=uk`
}

/** Runs in the page from its start: presses the menu's button until it opens the menu. */
function pressUntilAnswered(): void {
  const EVERY_MS = 20
  const press = () => {
    const menu = document.querySelector<HTMLElement>('header button[aria-expanded]')
    const [paint] = performance.getEntriesByName('first-contentful-paint')
    if (menu?.ariaExpanded === 'true' && paint !== undefined) {
      document.documentElement.dataset['answeredAfter'] = String(
        performance.now() - paint.startTime,
      )
      return
    }
    if (menu?.ariaExpanded === 'false') menu.click()
    setTimeout(press, EVERY_MS)
  }
  press()
}

/** Pages that the server does not render, by who sees them; a pending state stays for 100 ms. */
const BROWSER_PAGES = {
  nobody: ['/about-us', '/sign-in', '/register', '/contact-us'],
  patient: ['/userProfile'],
  provider: ['/dochome', '/doctor/profile', '/doctor/appointment-history'],
  superuser: ['/admin-home', '/admin-home/payments'],
}
const FIRST_CONTENT_MS = 250

/** Runs in the page from its start: notes when the page has its heading, which pending states lack. */
function noteHeading(): void {
  new MutationObserver((_changes, observer) => {
    if (document.querySelector('#root h1') === null) return
    observer.disconnect()
    requestAnimationFrame(() => {
      document.documentElement.dataset['shownAfter'] = String(performance.now())
    })
  }).observe(document, { childList: true, subtree: true })
}

async function enter(context: BrowserContext, site: string, who: string): Promise<void> {
  await context.addCookies([
    { name: 'demo_access_token', value: 'bench', url: site },
    { name: 'consentID', value: crypto.randomUUID(), url: site },
  ])
  if (who === 'nobody') return
  const headers = { origin: site, 'sec-fetch-site': 'same-origin' }
  const data = { email: `${who}@demo.example` }
  await context.request.post(`${site}/trpc/auth.enterDemo`, { headers, data })
}

/** Milliseconds from opening each of those pages in a desktop's browser, unslowed, until it has its content. */
async function firstContent(browser: Browser, site: string, rounds: number): Promise<Measure[]> {
  const lines: Measure[] = []
  for (const [who, paths] of Object.entries(BROWSER_PAGES)) {
    const context = await browser.newContext({ viewport: sizes.desktop })
    await enter(context, site, who)
    await context.addInitScript(noteHeading)
    for (const path of paths) {
      const times: number[] = []
      for (let round = 0; round < rounds; round += 1) {
        const page = await context.newPage()
        await page.goto(site + path)
        const shown = page.locator('html[data-shown-after]')
        times.push(Number(await shown.getAttribute('data-shown-after')))
        await page.close()
      }
      const ours = percentile(times, 0.5)
      const name = `first content of ${path}`
      lines.push({ name, ours, limit: FIRST_CONTENT_MS, unit: 'ms', bar: { atMost: 1 } })
    }
    await context.close()
  }
  return lines
}

/** Milliseconds from the first paint of a page, opened for the first time, until a press is answered. */
async function timeToPress(browser: Browser, site: string, path: string): Promise<number> {
  const context = await browser.newContext({
    viewport: sizes.phone,
    isMobile: true,
    hasTouch: true,
  })
  await context.addCookies([
    { name: 'demo_access_token', value: 'bench', url: site },
    { name: 'consentID', value: crypto.randomUUID(), url: site },
  ])
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', SLOW_4G)
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN })
  await page.addInitScript(pressUntilAnswered)
  await page.goto(site + path)
  const answered = page.locator('html[data-answered-after]')
  const after = Number(await answered.getAttribute('data-answered-after'))
  await context.close()
  return after
}

async function run(options: BenchOptions): Promise<Measure[]> {
  const site = await openSite(options)
  const browser = await chromium.launch({
    executablePath: await chromiumPath(),
    args: chromiumArgs,
  })
  try {
    const pages = [
      { name: 'home', path: '/home', limit: 2_000 },
      { name: 'results', path: '/results?postcode=SE1+6ET&specialty=dentist', limit: 2_000 },
      { name: 'a profile', path: await profilePath(site.url), limit: 3_000 },
    ]
    const lines: Measure[] = []
    for (const { name, path, limit } of pages) {
      const times: number[] = []
      for (let round = 0; round < (options.quick ? 1 : ROUNDS); round += 1) {
        times.push(await timeToPress(browser, site.url, path))
      }
      lines.push({ name, ours: percentile(times, 0.5), limit, unit: 'ms', bar: { atMost: 1 } })
    }
    return [...lines, ...(await firstContent(browser, site.url, options.quick ? 1 : ROUNDS))]
  } finally {
    await browser.close()
    await site.close()
  }
}

export const bar: Bar = {
  no: 25,
  title: 'Until a press works on a phone, and until other pages have their content',
  run,
}
