import { readFileSync } from 'node:fs'

/** Built by `npm run geo:zones` (decision 063); under the Open Database License (NOTICE). */
export const ZIP_ZONES_FILE = new URL('./us-zip-zones.tsv', import.meta.url)

const HEADER = 'from\ttime_zone'

/** The IANA zone of a domestic ZIP code. */
export type ZoneOfZip = (zip: string) => string

/** Prints zones by ZIP code as the table: a line for each run of codes that share a zone. */
export function printZipZones(zones: ReadonlyMap<string, string>): string {
  const lines = [HEADER]
  let last = ''
  for (const [zip, zone] of [...zones].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    if (zone !== last) lines.push(`${zip}\t${zone}`)
    last = zone
  }
  return `${lines.join('\n')}\n`
}

/**
 * Reads the table. A code that it was not built from gets the zone of the code before it. Throws on anything
 * else than the table, which is part of the product.
 */
export function parseZipZones(text: string): ZoneOfZip {
  const [header, ...lines] = text.trimEnd().split('\n')
  if (header !== HEADER) throw new Error('The table of ZIP time zones lacks its header')
  const runs = lines.map((line) => {
    const [from, zone] = line.split('\t')
    if (from === undefined || zone === undefined) throw new Error(`Unreadable line: ${line}`)
    return { from, zone }
  })
  return (zip) => {
    const run = runs.findLast(({ from }) => from <= zip) ?? runs[0]
    return run?.zone ?? ''
  }
}

/** The zones the product ships. */
export function readZipZones(): ZoneOfZip {
  return parseZipZones(readFileSync(ZIP_ZONES_FILE, 'utf8'))
}
