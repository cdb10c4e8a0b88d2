import { join } from 'node:path'
import { type Browser, chromium, type Page } from '@playwright/test'
import * as z from 'zod/mini'
import { addDays } from '#app/lib/dates/calendar-days.ts'
import { type Bar, type BenchOptions, type Measure, percentile } from '#bench/bar.ts'
import { ensureSite, startOwnDemo } from '#bench/demo-server.ts'
import { DAY_MS } from '#contract/base/time.ts'
import { type Db, openDatabase } from '#db/engine.ts'
import { writeVisit } from '#demo/work/write-visit.ts'
import { chromiumArgs, chromiumPath, sizes } from '#tests/e2e/harness/chromium.ts'

/** Eight weeks ahead, where the demo has booked nothing. */
const WEEKS_AHEAD = 8
const [DAYS, PER_DAY, MINUTES] = [5, 40, 15]
const FIRST_START_MS = 8 * 3_600_000

const BUSY_VISITS = DAYS * PER_DAY

async function writeVisits(db: Db, monday: number): Promise<void> {
  const provider = await db
    .selectFrom('providers as p')
    .innerJoin('places as l', 'l.provider_no', 'p.no')
    .selectAll('p')
    .select(['l.no as place_no', 'l.time_zone'])
    .where('p.email', '=', 'provider@demo.example')
    .where('l.position', '=', 0)
    .executeTakeFirstOrThrow()
  const patients = await db
    .selectFrom('accounts')
    .select('no')
    .where('kind', '=', 'patient')
    .execute()
  for (let n = 0; n < BUSY_VISITS; n += 1) {
    const at = FIRST_START_MS + (n % PER_DAY) * MINUTES * 60_000
    await writeVisit(db, {
      provider: { ...provider, consultation_minutes: MINUTES },
      patientNo: patients[n % patients.length]?.no ?? 0,
      now: monday,
      visit: {
        guest: '',
        startAt: monday + Math.floor(n / PER_DAY) * DAY_MS + at,
        bookedAt: monday - 60 * DAY_MS,
        followUp: n % 3 === 0 ? 'history' : null,
        purpose: 'A cough that will not go away',
        method: 'stripe',
        isCancelled: false,
      },
    })
  }
}

/** Fills a week of the demo's provider with 40 visits a day; returns its Monday, such as `2026-05-04`. */
async function writeBusyWeek(dataDir: string): Promise<string> {
  const today = Math.floor(Date.now() / DAY_MS) * DAY_MS
  // 1 January 1970 was a Thursday.
  const weekday = (today / DAY_MS + 3) % 7
  const monday = today + (WEEKS_AHEAD * 7 - weekday) * DAY_MS
  const database = openDatabase(`sqlite:${join(dataDir, 'apposite.db')}`)
  try {
    await database.transaction((db) => writeVisits(db, monday))
  } finally {
    await database.close()
  }
  return new Date(monday).toISOString().slice(0, 10)
}

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
