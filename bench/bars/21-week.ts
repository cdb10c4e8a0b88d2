import { type Browser, chromium, type Page } from '@playwright/test'
import * as z from 'zod/mini'
import { addDays } from '#app/lib/calendar-days.ts'
import type { Bar, BenchOptions, Measure } from '#bench/bar.ts'
import { BUSY_VISITS, writeBusyWeek } from '#bench/busy-week.ts'
import { startOwnDemo } from '#bench/demo-server.ts'
import { percentile } from '#bench/measure.ts'
import { ensureSite } from '#bench/site.ts'
import { chromiumArgs, chromiumPath, sizes } from '#tests/e2e/chromium.ts'

/** Slowdown from a developer's machine to a mid-range phone. */
const SLOWDOWN = 4
const LIMIT_MS = 100
const ROUNDS = 7
/** Separates one turn from the next, so that no work is counted twice, in milliseconds. */
const PAUSE_MS = 500

const Metrics = z.object({ metrics: z.array(z.object({ name: z.string(), value: z.number() })) })
const COUNTED = new Set(['ScriptDuration', 'LayoutDuration', 'RecalcStyleDuration'])

type View = Pick<Measure, 'name' | 'bar'> & {
  view: string
  size: { width: number; height: number }
  isPhone: boolean
}

const views: readonly View[] = [
  {
    name: 'as a phone opens them',
    view: 'agenda',
    size: sizes.phone,
    isPhone: true,
    bar: { atMost: 1 },
  },
  { name: 'all in a list', view: 'list', size: sizes.phone, isPhone: true, bar: null },
  { name: 'the grid of a desktop', view: 'week', size: sizes.desktop, isPhone: false, bar: null },
]

/** Goes to the adjacent week and waits until it is rendered. */
function turn(page: Page, label: 'Week before' | 'Week after'): Promise<void> {
  return page.evaluate(async (name) => {
    const title = () => document.getElementById('calendar-title')?.textContent
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
    const before = title()
    document.querySelector<HTMLElement>(`button[aria-label="${name}"]`)?.click()
    while (title() === before) await frame()
    await frame()
    await frame()
  }, label)
}

type Where = { browser: Browser; site: string; monday: string }

/** Milliseconds of script, style and layout for going to the full week, once its data has loaded. */
async function measure({ browser, site, monday }: Where, { view, size, isPhone }: View) {
  const context = await browser.newContext({
    baseURL: site,
    viewport: size,
    isMobile: isPhone,
    hasTouch: isPhone,
    extraHTTPHeaders: { origin: site },
  })
  await context.request.post('/trpc/auth.enterDemo', { data: { email: 'provider@demo.example' } })
  const page = await context.newPage()
  await page.goto(`/dochome?view=${view}&on=${addDays(monday, -7)}`)
  await page.getByRole('button', { name: 'Week after' }).waitFor()
  const loaded = page.waitForResponse(/booking\.week/)
  await turn(page, 'Week after')
  await loaded
  await page.waitForTimeout(PAUSE_MS)
  const session = await context.newCDPSession(page)
  // Measures CPU time, so that other processes on the machine do not count.
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN })
  const spent = async () => {
    const { metrics } = Metrics.parse(await session.send('Performance.getMetrics'))
    return metrics.reduce((sum, { name, value }) => (COUNTED.has(name) ? sum + value : sum), 0)
  }
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    await turn(page, 'Week before')
    await page.waitForTimeout(PAUSE_MS)
    const before = await spent()
    await turn(page, 'Week after')
    times.push(((await spent()) - before) * 1_000)
  }
  await context.close()
  return percentile(times, 0.5)
}

async function run(options: BenchOptions): Promise<Measure[]> {
  await ensureSite(options)
  const demo = await startOwnDemo(options)
  const browser = await chromium.launch({
    executablePath: await chromiumPath(),
    args: chromiumArgs,
  })
  try {
    const site = `http://localhost:${demo.port}`
    const where = { browser, site, monday: await writeBusyWeek(demo.dataDir) }
    const lines: Measure[] = []
    for (const view of views) {
      const ours = await measure(where, view)
      const name = `${BUSY_VISITS} visits, ${view.name}`
      lines.push({ name, ours, limit: LIMIT_MS, unit: 'ms', bar: view.bar })
    }
    return lines
  } finally {
    await browser.close()
    await demo.close()
  }
}

export const bar: Bar = { no: 21, title: 'A provider’s full week on a mid-range phone', run }
