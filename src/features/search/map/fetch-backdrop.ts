import type { Region } from '#contract/region.ts'
import {
  type Backdrop,
  unpackBackdrop,
  unpackCounties,
  unpackZips,
  type WorldLabel,
  type WorldLine,
} from './backdrop.ts'

const kept = new Map<string, Promise<unknown>>()

/** The backdrop of a region, fetched once a visit; after a failure the next call tries again. */
export async function fetchBackdrop(region: Region): Promise<Backdrop> {
  return unpackBackdrop(await fetchOnce(`/map/${region}.json`))
}

/** County lines and names of the USA, fetched once a visit. */
export async function fetchCounties(): Promise<{ lines: WorldLine[]; labels: WorldLabel[] }> {
  return unpackCounties(await fetchOnce('/map/usa-counties.json'))
}

/** Every ZIP code as a label, fetched once a visit. */
export async function fetchZips(): Promise<WorldLabel[]> {
  return unpackZips(await fetchOnce('/map/usa-zips.json'))
}

function fetchOnce(path: string): Promise<unknown> {
  const known = kept.get(path)
  if (known) return known
  const coming = load(path).catch((error: unknown) => {
    kept.delete(path)
    throw error
  })
  kept.set(path, coming)
  return coming
}

async function load(path: string): Promise<unknown> {
  const answer = await fetch(path)
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}.`)
  return answer.json()
}
