import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { clipPolygon } from 'lineclip'
import { feature, mesh } from 'topojson-client'
import { presimplify } from 'topojson-simplify'
import type { GeometryCollection, GeometryObject, Objects, Topology } from 'topojson-specification'
import { type Box, type Point, simplifyLine } from './lines.ts'

/** What the maps draw of both regions before any label: rings and lines in degrees. */
export interface Outlines {
  land: Point[][]
  abroad: Point[][]
  borders: Point[][]
  counties: Point[][]
}

type Atlas = Topology<Objects>

const packages = createRequire(import.meta.url)

/** The United Kingdom and Crown dependencies in full, and the neighbours' coasts thinned with distance. From `world-atlas` (Natural Earth, 1:10 million). */
export async function ukOutlines(box: Box): Promise<Outlines> {
  const world = await readTopology('world-atlas/countries-10m.json')
  const own = new Set(['United Kingdom', 'Isle of Man', 'Jersey', 'Guernsey'])
  const near = new Set([
    'Ireland',
    'France',
    'Belgium',
    'Netherlands',
    'Germany',
    'Denmark',
    'Norway',
    'Sweden',
    'Spain',
    'Luxembourg',
    'Switzerland',
    'Italy',
    'Faeroe Is.',
    'Faroe Is.',
  ])
  const abroad = countryRings(world, near, box).map((ring) =>
    simplifyLine(ring, ([lon, lat]) => (lon < -5.3 && lat > 51 && lat < 56 ? 0 : 0.012)),
  )
  return { land: countryRings(world, own, box), abroad, borders: [], counties: [] }
}

/** The States with states and counties from `us-atlas` (Census Bureau), and their neighbours from `world-atlas`, finest along the shared borders. */
export async function usaOutlines(box: Box): Promise<Outlines> {
  const [atlas, world] = await Promise.all([
    readTopology('us-atlas/counties-10m.json'),
    readTopology('world-atlas/countries-10m.json'),
  ])
  const us = simplifyUsa(atlas)
  const [nation, states, counties] = ['nation', 'states', 'counties'].map((name) =>
    collection(us, name),
  )
  if (!nation || !states || !counties) throw new Error('us-atlas has no nation, states or counties')
  const near = new Set([
    'Canada',
    'Mexico',
    'Cuba',
    'Bahamas',
    'Dominican Rep.',
    'Haiti',
    'Jamaica',
    'Guatemala',
    'Belize',
    'Russia',
    'Greenland',
    'Honduras',
  ])
  const abroad = countryRings(world, near, box).map((ring) => simplifyLine(ring, toleranceAbroad))
  return {
    land: ringsOf(us, nation, box),
    abroad,
    borders: mesh(us, states, (a, b) => a !== b).coordinates.map(toPoints),
    counties: mesh(us, counties, (a, b) => a !== b && stateOf(a) === stateOf(b)).coordinates.map(
      toPoints,
    ),
  }
}

/** Counties with their state's two-digit code, name and rings: the labels are placed in their middle. */
export async function usaAreas(
  layer: 'states' | 'counties',
): Promise<{ name: string; rings: Point[][] }[]> {
  const atlas = await readTopology('us-atlas/counties-10m.json')
  return (collection(atlas, layer)?.geometries ?? []).map((area) => ({
    name: nameOf(area),
    rings: ringsOf(atlas, area, [-180, 14, -50, 74]),
  }))
}

// The first two digits of a county's code are its state's.
function stateOf(county: GeometryObject): string {
  return String(county.id).slice(0, 2)
}

// Fine along the borders the States share, coarse in the far north and south.
function toleranceAbroad([lon, lat]: Point): number {
  if (lat > 50.5 || lon > -60) return 0.15
  if (lat > 41) return 0.012
  return lat > 25.6 && lon < -97 ? 0.003 : 0.06
}

/** Keeps more of the coast and of state lines than of county lines, by the area each point stands for (square degrees). */
function simplifyUsa(atlas: Atlas): Atlas {
  const major = new Set<number>()
  for (const name of ['nation', 'states']) {
    for (const geometry of collection(atlas, name)?.geometries ?? []) collectArcs(geometry, major)
  }
  const weighted = presimplify(atlas)
  const arcs = weighted.arcs.map((arc, index) => {
    const [, middleLat = 0] = arc[0] ?? []
    const least = middleLat > 50 ? 1e-2 : major.has(index) ? 5e-5 : 1.2e-3
    return arc.filter((point, i) => i === 0 || i === arc.length - 1 || (point[2] ?? 0) >= least)
  })
  return { ...weighted, arcs }
}

function collectArcs(geometry: GeometryObject, into: Set<number>): void {
  const walk = (arcs: unknown): void => {
    if (typeof arcs === 'number') into.add(arcs < 0 ? ~arcs : arcs)
    else if (Array.isArray(arcs)) arcs.forEach(walk)
  }
  if ('arcs' in geometry) walk(geometry.arcs)
}

function countryRings(world: Atlas, names: Set<string>, box: Box): Point[][] {
  return (collection(world, 'countries')?.geometries ?? [])
    .filter((country) => names.has(nameOf(country)))
    .flatMap((country) => ringsOf(world, country, box))
}

function ringsOf(topology: Atlas, geometry: GeometryObject, box: Box): Point[][] {
  const found = feature(topology, geometry)
  const features = found.type === 'FeatureCollection' ? found.features : [found]
  return features
    .flatMap(({ geometry: shape }) => {
      if (shape.type === 'Polygon') return shape.coordinates.map(toPoints)
      return shape.type === 'MultiPolygon' ? shape.coordinates.flat().map(toPoints) : []
    })
    .map((ring) => clipPolygon(ring, box))
    .filter((ring) => ring.length > 2)
}

function nameOf(geometry: GeometryObject): string {
  const properties: unknown = geometry.properties
  return typeof properties === 'object' && properties !== null && 'name' in properties
    ? String(properties.name)
    : ''
}

export function collection(topology: Atlas, name: string): GeometryCollection | undefined {
  const found = topology.objects[name]
  return found?.type === 'GeometryCollection' ? found : undefined
}

export async function readTopology(file: string): Promise<Atlas> {
  const parsed: unknown = JSON.parse(await readFile(packages.resolve(file), 'utf8'))
  if (!isTopology(parsed)) throw new Error(`${file} is not a topology`)
  return parsed
}

function isTopology(value: unknown): value is Atlas {
  return (
    typeof value === 'object' &&
    value !== null &&
    'type' in value &&
    value.type === 'Topology' &&
    'arcs' in value
  )
}

function toPoints(positions: number[][]): Point[] {
  return positions.map(([lon = 0, lat = 0]) => [lon, lat])
}
