import { median, type Point, weightedMean } from './points.ts'

export type Sector = Point & {
  /** "SW1A 1" */
  sector: string
  outcode: string
  /** Live postcodes: a density weight. */
  postcodes: number
}

export type Outcode = Point & {
  code: string
  level: 'outcode' | 'district' | 'area'
  postcodes: number
}

const HEADER = 'sector\tlatitude\tlongitude\tpostcodes'

/** Sectors as the medians of their postcodes ("SW1A1AA"), sorted by name, three decimals. */
export async function sectorsOf(
  units: AsyncIterable<Point & { postcode: string }>,
): Promise<Sector[]> {
  const points = new Map<string, { latitudes: number[]; longitudes: number[] }>()
  for await (const unit of units) {
    const outcode = unit.postcode.slice(0, -3)
    const sector = `${outcode} ${unit.postcode.slice(-3, -2)}`
    const known = points.get(sector) ?? { latitudes: [], longitudes: [] }
    known.latitudes.push(unit.latitude)
    known.longitudes.push(unit.longitude)
    points.set(sector, known)
  }
  return [...points]
    .map(([sector, { latitudes, longitudes }]) => ({
      sector,
      outcode: sector.slice(0, -2),
      latitude: Number(median(latitudes).toFixed(3)),
      longitude: Number(median(longitudes).toFixed(3)),
      postcodes: latitudes.length,
    }))
    .toSorted((a, b) => (a.sector < b.sector ? -1 : 1))
}

/** Serialises the table as `uk-sectors.tsv`. */
export function printSectors(sectors: readonly Sector[]): string {
  const lines = sectors.map((row) =>
    [row.sector, row.latitude.toFixed(3), row.longitude.toFixed(3), row.postcodes].join('\t'),
  )
  return `${[HEADER, ...lines].join('\n')}\n`
}

/** Parses the output of `printSectors`. Throws on anything else: the file is part of the product. */
export function parseSectors(text: string): Sector[] {
  const [header, ...lines] = text.trimEnd().split('\n')
  if (header !== HEADER) throw new Error('uk-sectors.tsv does not have the expected header')
  return lines.map((line) => {
    const [sector, latitude, longitude, postcodes] = line.split('\t')
    if (sector === undefined || postcodes === undefined) {
      throw new Error(`uk-sectors.tsv: unreadable line: ${line}`)
    }
    return {
      sector,
      outcode: sector.slice(0, -2),
      latitude: Number(latitude),
      longitude: Number(longitude),
      postcodes: Number(postcodes),
    }
  })
}

function groupBy<T>(rows: readonly T[], keyOf: (row: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const row of rows) {
    const key = keyOf(row)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [row])
    else group.push(row)
  }
  return groups
}

type Part = Point & { postcodes: number }

function meansOf(groups: Map<string, Part[]>, level: Outcode['level']): Outcode[] {
  const means: Outcode[] = []
  for (const [code, parts] of groups) {
    const postcodes = parts.reduce((sum, part) => sum + part.postcodes, 0)
    // Areas without counted postcodes have the points of towns: each weighs the same.
    const mean = weightedMean(
      parts.map((part) => ({ ...part, weight: postcodes === 0 ? 1 : part.postcodes })),
    )
    if (mean !== null) means.push({ code, level, ...mean, postcodes })
  }
  return means
}

/**
 * Outcodes as weighted means of their sectors, then the shorter prefixes people type: districts
 * that come only with a letter ("EC1", "W1") and areas ("SW"). An outcode wins over a district of
 * its name ("E1" beside "E1W").
 */
export function prefixesOf(sectors: readonly Sector[], extra: readonly Outcode[]): Outcode[] {
  const outcodes = [
    ...meansOf(
      groupBy(sectors, (row) => row.outcode),
      'outcode',
    ),
    ...extra,
  ]
  const known = new Set(outcodes.map((row) => row.code))
  const lettered = outcodes.filter((row) => /\d[A-Z]$/.test(row.code))
  const districts = meansOf(
    groupBy(lettered, (row) => row.code.slice(0, -1)),
    'district',
  )
  const areas = meansOf(
    groupBy(outcodes, (row) => row.code.replace(/\d.*$/, '')),
    'area',
  )
  return [...outcodes, ...districts.filter((row) => !known.has(row.code)), ...areas]
}
