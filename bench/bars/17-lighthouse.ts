import type { RunnerResult } from 'lighthouse'
import lighthouse from 'lighthouse'
import * as z from 'zod/mini'
import type { Bar, BenchOptions, Measure } from '#bench/bar.ts'
import {
  openBrowser,
  patientOf,
  setVisitorCookies,
  type Visitor,
  visitors,
} from '#bench/browser.ts'
import { percentile } from '#bench/measure.ts'
import { openSite } from '#bench/site.ts'

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

/** What is read off a report: the scores of 100, times in ms, sizes in kB. */
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

type Visit = { site: string; path: string; visitor: () => Visitor | Promise<Visitor> }

async function visit({ site, path, visitor }: Visit): Promise<RunnerResult> {
  const browser = await openBrowser()
  try {
    await setVisitorCookies(browser, site, await visitor())
    // The defaults are the mobile preset: a mid-range phone on slow 4G, simulated.
    const flags = { port: browser.port, output: 'json', logLevel: 'error' } as const
    const result = await lighthouse(site + path, flags)
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
    checkout: { site, path: checkoutOf(first), visitor: () => patientOf(site) },
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
