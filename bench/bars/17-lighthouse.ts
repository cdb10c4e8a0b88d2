import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import lighthouse, { type RunnerResult } from 'lighthouse'
import * as z from 'zod/mini'
import { type Bar, type BenchOptions, type Measure, percentile } from '#bench/bar.ts'
import { openSite } from '#bench/demo-server.ts'
import { chromiumArgs, chromiumPath } from '#tests/e2e/harness/chromium.ts'

type Browser = {
  /** Port for remote debugging. */
  port: number
  close(): Promise<void>
}

/** A headless Chromium with a profile of its own, which `close` deletes. */
async function openBrowser(): Promise<Browser> {
  const profile = await mkdtemp(join(tmpdir(), 'apposite-bench-'))
  const child = spawn(
    await chromiumPath(),
    [...chromiumArgs, '--headless', '--remote-debugging-port=0', `--user-data-dir=${profile}`],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  )
  const ended = once(child, 'exit')
  const port = await new Promise<number>((resolve, reject) => {
    let text = ''
    child.stderr.setEncoding('utf8').on('data', (piece: string) => {
      text += piece
      const found = /DevTools listening on ws:\/\/[^:]+:(\d+)/.exec(text)?.[1]
      if (found !== undefined) resolve(Number(found))
    })
    child.once('error', reject)
    child.once('exit', () => reject(new Error(`Chromium did not start.\n${text}`)))
  })
  return {
    port,
    close: async () => {
      child.kill()
      await ended
      await rm(profile, { recursive: true, force: true })
    },
  }
}

/** Cookies set by the demo's entrance and by answering the cookie banner. */
const DEMO_ENTERED = { demo_access_token: 'bench' }
const RETURNING = { ...DEMO_ENTERED, consentID: 'b7a5c8f0-5d1e-4f6c-9a3b-0c2d4e6f8a1b' }

/** The cookies of whoever opens a page. */
type Visitor = Readonly<Record<string, string>>

/** A returning visitor, and one who sees the cookie banner. */
const visitors = { returning: RETURNING, first: DEMO_ENTERED }

/** Cookies of the demo's patient, just signed in through the demo's entrance. */
async function patientOf(site: string): Promise<Visitor> {
  const answer = await fetch(`${site}/trpc/auth.enterDemo`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: site },
    body: JSON.stringify({ email: 'patient@demo.example' }),
  })
  if (!answer.ok) throw new Error(`Demo sign-in failed: ${answer.status}`)
  const visitor: Record<string, string> = { ...RETURNING }
  for (const line of answer.headers.getSetCookie()) {
    const [, name, value] = /^([^=]+)=([^;]*)/.exec(line) ?? []
    if (name !== undefined && value !== undefined) visitor[name] = value
  }
  return visitor
}

const Version = z.object({ webSocketDebuggerUrl: z.string() })
const Reply = z.object({ error: z.optional(z.object({ message: z.string() })) })

async function sendCommand(socketUrl: string, method: string, params: unknown): Promise<void> {
  const socket = new WebSocket(socketUrl)
  try {
    await new Promise<void>((resolve, reject) => {
      socket.addEventListener('error', () => reject(new Error('The browser hung up.')))
      socket.addEventListener('open', () => socket.send(JSON.stringify({ id: 1, method, params })))
      socket.addEventListener('message', ({ data }) => {
        const { error } = Reply.parse(JSON.parse(String(data)))
        if (error === undefined) resolve()
        else reject(new Error(error.message))
      })
    })
  } finally {
    socket.close()
  }
}

/** Gives a browser the cookies of a visitor of `site`, so that its pages do not redirect to the entrance. */
async function setVisitorCookies(browser: Browser, site: string, visitor: Visitor): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${browser.port}/json/version`)
  const { webSocketDebuggerUrl } = Version.parse(await answer.json())
  const cookies = Object.entries(visitor).map(([name, value]) => ({
    name,
    value,
    url: site,
  }))
  await sendCommand(webSocketDebuggerUrl, 'Storage.setCookies', { cookies })
}

const ROUNDS = 3
const RESULTS = '/results?postcode=SE1+6ET&specialty=dentist'

const Result = z.object({
  id: z.string(),
  nextFree: z.string(),
  place: z.object({ timeZone: z.string() }),
})
const Results = z.object({
  result: z.object({ data: z.object({ results: z.array(Result) }) }),
})

type Figures = Record<string, number>

/** What is read from a report: scores out of 100, times in ms, sizes in kB. */
function figuresOf({ lhr }: RunnerResult): Figures {
  const score = (name: string) => Math.round(100 * (lhr.categories[name]?.score ?? 0))
  const value = (name: string) => lhr.audits[name]?.numericValue ?? Number.NaN
  return {
    performance: score('performance'),
    accessibility: score('accessibility'),
    'best practices': score('best-practices'),
    SEO: score('seo'),
    'largest paint': value('largest-contentful-paint'),
    'layout shift': value('cumulative-layout-shift'),
    'total blocking': value('total-blocking-time'),
    'everything fetched': value('total-byte-weight') / 1_000,
  }
}

type Line = Pick<Measure, 'limit' | 'unit' | 'bar'>

const lines: Record<string, Line> = {
  performance: { limit: 95, unit: '', bar: { atLeast: 1 } },
  accessibility: { limit: 100, unit: '', bar: { atLeast: 1 } },
  'best practices': { limit: 100, unit: '', bar: { atLeast: 1 } },
  SEO: { limit: 100, unit: '', bar: { atLeast: 1 } },
  'largest paint': { limit: 2_000, unit: 'ms', bar: { atMost: 1 } },
  'layout shift': { limit: 0.02, unit: '', bar: { atMost: 1 } },
  'total blocking': { limit: 100, unit: 'ms', bar: { atMost: 1 } },
  'everything fetched': { limit: 1_000, unit: 'kB', bar: null },
}

/** The first provider in the results, with their next free time. */
async function firstResult(site: string): Promise<z.infer<typeof Result>> {
  const input = { selectedRegion: 'uk', postcode: 'SE1 6ET', specialty: 'dentist' }
  const query = encodeURIComponent(JSON.stringify(input))
  const answer = await fetch(`${site}/trpc/search.providers?input=${query}`)
  const first = Results.parse(await answer.json()).result.data.results[0]
  if (first === undefined) throw new Error('The demo has no dentist near SE1 6ET.')
  return first
}

/** The address of the checkout for a time; opening it holds the time. */
function checkoutOf({ id, nextFree, place }: z.infer<typeof Result>): string {
  const at = Temporal.Instant.from(nextFree).toZonedDateTimeISO(place.timeZone)
  const time = encodeURIComponent(at.toPlainTime().toString({ smallestUnit: 'minute' }))
  return `/appointment/${id}?region=uk&date=${at.toPlainDate().toString()}&time=${time}&distance=0.4`
}

type Visit = {
  site: string
  path: string
  visitor: () => Visitor | Promise<Visitor>
  skipAudits?: string[]
}

async function visit({ site, path, visitor, skipAudits = [] }: Visit): Promise<RunnerResult> {
  const browser = await openBrowser()
  try {
    await setVisitorCookies(browser, site, await visitor())
    // The defaults are the mobile preset: a mid-range phone on slow 4G, simulated.
    const flags = { port: browser.port, output: 'json', logLevel: 'error' } as const
    const result = await lighthouse(site + path, { ...flags, skipAudits })
    if (result === undefined) throw new Error(`No report on ${path}`)
    const { runtimeError, finalDisplayedUrl } = result.lhr
    if (runtimeError !== undefined) throw new Error(runtimeError.message)
    if (!finalDisplayedUrl.endsWith(path)) throw new Error(`${path} led to ${finalDisplayedUrl}`)
    return result
  } finally {
    await browser.close()
  }
}

/**
 * The pages for a returning visitor, the home page also for a first visit with the cookie banner, and the
 * checkout for a signed-in patient.
 */
async function visitsOf(site: string): Promise<Record<string, Visit>> {
  const first = await firstResult(site)
  const profile = `/doctor-profile/${first.id}/0.4?region=uk`
  const returning = () => visitors.returning
  return {
    home: { site, path: '/home', visitor: returning },
    'home, first visit': { site, path: '/home', visitor: () => visitors.first },
    results: { site, path: RESULTS, visitor: returning },
    profile: { site, path: profile, visitor: returning },
    checkout: {
      site,
      path: checkoutOf(first),
      visitor: () => patientOf(site),
      // robots.txt keeps search engines out of the checkout: opening it holds a time.
      skipAudits: ['is-crawlable'],
    },
  }
}

function complaints({ lhr }: RunnerResult): string[] {
  const audits = Object.values(lhr.categories)
    .filter(({ id }) => id !== 'performance')
    .flatMap(({ auditRefs }) => auditRefs)
    .flatMap(({ id, weight }) => (weight > 0 ? (lhr.audits[id] ?? []) : []))
  return audits.filter(({ score }) => score !== null && score < 1).map(({ title }) => title)
}

async function run(options: BenchOptions): Promise<Measure[]> {
  if (options.quick) {
    options.say('Takes minutes: only in a full run')
    return []
  }
  const site = await openSite(options)
  try {
    const visits = await visitsOf(site.url)
    const found = new Map<string, Figures[]>(Object.keys(visits).map((name) => [name, []]))
    const reported = new Set<string>()
    for (let round = 0; round < ROUNDS; round++) {
      for (const [name, one] of Object.entries(visits)) {
        const result = await visit(one)
        found.get(name)?.push(figuresOf(result))
        for (const complaint of complaints(result)) reported.add(`${name}: ${complaint}`)
      }
    }
    for (const line of reported) options.say(line)
    return [...found].flatMap(([page, rounds]) =>
      Object.entries(lines).map(([name, line]) => ({
        name: `${page}: ${name}`,
        ours: percentile(
          rounds.map((figures) => figures[name] ?? Number.NaN),
          0.5,
        ),
        ...line,
      })),
    )
  } finally {
    await site.close()
  }
}

export const bar: Bar = { no: 17, title: 'Lighthouse, mobile', run }
