import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress } from 'node:zlib'
import type { PackedBackdrop, PackedCounties } from '#app/features/search/map/backdrop.ts'
import { countryNames, greatLakes, seaNames, thames } from './map/hand-drawn.ts'
import {
  areaLabels,
  type Label,
  outcodeLabels,
  packLabels,
  packZips,
  readSectors,
  readTowns,
  readZipPoints,
  townLabels,
} from './map/labels.ts'
import { type Box, builtUpRings, packLines, simplifyLine, sortLines } from './map/lines.ts'
import { ukOutlines, usaAreas, usaOutlines } from './map/outlines.ts'

const sectorsFile = new URL('../db/geo/uk-sectors.tsv', import.meta.url)
// The grids of the two atlases: more decimals would only be noise.
const naturalEarth: [number, number] = [0.0018, 0.00085]
const census: [number, number] = [0.0018, 0.0009]

/**
 * Writes the map's backdrops (`uk.json`, `usa.json`) and the detail fetched when zoomed in
 * (`usa-counties.json`, `usa-zips.json`) into a folder, and reports their sizes, plain and with brotli.
 */
export async function buildMaps(
  outDir: string,
): Promise<{ file: string; bytes: number; brotliBytes: number }[]> {
  await mkdir(outDir, { recursive: true })
  const files = {
    'uk.json': await ukBackdrop(),
    ...(await usaFiles()),
    'usa-zips.json': packZips(readZipPoints()),
  }
  return Promise.all(
    Object.entries(files).map(async ([file, content]) => {
      const text = Buffer.from(JSON.stringify(content))
      await writeFile(join(outDir, file), text)
      return {
        file,
        bytes: text.length,
        brotliBytes: (await promisify(brotliCompress)(text)).length,
      }
    }),
  )
}

async function ukBackdrop(): Promise<PackedBackdrop> {
  const box: Box = [-20, 45, 12, 63.5]
  const [outlines, sectors] = await Promise.all([ukOutlines(box), readSectors(sectorsFile)])
  const grid = { box, step: naturalEarth }
  const builtUp = builtUpRings(sectors, {
    cell: 0.005,
    spread: 0.55,
    limits: [0.45, 1.5],
    threshold: 26,
  })
  const towns = readTowns(['GB', 'IM', 'JE', 'GG'])
  const abroad = readTowns(['IE', 'FR', 'BE', 'NL']).filter((town) => town.population >= 90_000)
  return {
    version: 1,
    region: 'uk',
    bounds: box,
    land: packLines(outlines.land, grid, 4),
    abroad: packLines(outlines.abroad, grid, 4),
    lakes: packLines([], grid),
    builtUp: packLines(
      builtUp.map((ring) => simplifyLine(ring, () => 0.0016)),
      { box, step: [0.002, 0.0012] },
      5,
    ),
    rivers: packLines([thames], { box, step: [0.0005, 0.0005] }),
    borders: packLines([], grid),
    labels: [
      packLabels('sea', namesAt(seaNames.uk)),
      packLabels('country', namesAt(countryNames.uk)),
      packLabels('city', townLabels(towns, 4300)),
      packLabels('abroad', townLabels(abroad, 60)),
      packLabels('outcode', outcodeLabels(sectors)),
    ],
  }
}

async function usaFiles(): Promise<{
  'usa.json': PackedBackdrop
  'usa-counties.json': PackedCounties
}> {
  const box: Box = [-180, 14, -50, 74]
  const [outlines, states, counties] = await Promise.all([
    usaOutlines(box),
    usaAreas('states'),
    usaAreas('counties'),
  ])
  const grid = { box, step: census }
  const builtUp = builtUpRings(readZipPoints(), {
    cell: 0.02,
    spread: 0.7,
    limits: [1.5, 5],
    threshold: 0.018,
  })
  const abroad = readTowns(['CA', 'MX', 'CU']).filter((town) => town.population >= 150_000)
  const usa: PackedBackdrop = {
    version: 1,
    region: 'usa',
    bounds: box,
    land: packLines(outlines.land, grid, 4),
    abroad: packLines(outlines.abroad, { box, step: [0.005, 0.004] }, 5),
    lakes: packLines(greatLakes, grid),
    builtUp: packLines(
      builtUp.map((ring) => simplifyLine(ring, () => 0.009)),
      { box, step: [0.01, 0.008] },
      5,
    ),
    rivers: packLines([], grid),
    borders: packLines(outlines.borders, grid),
    labels: [
      packLabels('sea', namesAt(seaNames.usa)),
      packLabels('country', namesAt(countryNames.usa)),
      packLabels('state', areaLabels(states, [10, 2])),
      packLabels('city', townLabels(readTowns(['US', 'PR']), 6000)),
      packLabels('abroad', townLabels(abroad, 90)),
    ],
  }
  const lines = packLines(sortLines(outlines.counties, 0.7), { box, step: [0.004, 0.003] })
  const labels = packLabels('county', areaLabels(counties, [0.5, 0.2]), 100)
  return { 'usa.json': usa, 'usa-counties.json': { version: 1, lines, labels } }
}

function namesAt(list: [string, number, number, number?][]): Label[] {
  return list.map(([name, lon, lat, rank = 0]) => ({ name, lon, lat, rank }))
}

if (import.meta.main) {
  for (const { file, bytes, brotliBytes } of await buildMaps(
    process.argv[2] ?? 'dist/client/map',
  )) {
    console.log(
      `${file}: ${Math.round(bytes / 1000)} kB, ${(brotliBytes / 1000).toFixed(1)} kB with brotli`,
    )
  }
}
