import type Sqlite from 'better-sqlite3'
import KDBush from 'kdbush'
import { type Point, unitVector } from '#server/search/circle.ts'

type Tree = {
  tree: KDBush
  numbers: Int32Array
  x: Float64Array
  y: Float64Array
  z: Float64Array
}

export type Found = { total: number; numbers: number[] }
export type TreeSearch = (centre: Point, miles: number, specialty: number) => Found

const RADIANS = Math.PI / 180
const PAGE = 10

type Row = { specialty: number; no: number; longitude: number; x: number; y: number; z: number }

function indexRows(file: Sqlite.Database): Row[] {
  return file
    .prepare<[], Row>(
      'select specialty_no as specialty, provider_no as no, longitude, x, y, z from search_index',
    )
    .all()
}

/**
 * All providers in memory, one kd-tree per specialty: a lower bound for search time, at 50 bytes a provider.
 */
function buildTrees(file: Sqlite.Database): Map<number, Tree> {
  const bySpecialty = new Map<number, Row[]>()
  for (const row of indexRows(file)) {
    const list = bySpecialty.get(row.specialty)
    if (list === undefined) bySpecialty.set(row.specialty, [row])
    else list.push(row)
  }
  return new Map([...bySpecialty].map(([specialty, list]) => [specialty, treeOf(list)]))
}

function treeOf(rows: readonly Row[]): Tree {
  const tree = new KDBush(rows.length)
  for (const row of rows) tree.add(row.longitude, Math.asin(row.z) / RADIANS)
  tree.finish()
  return {
    tree,
    numbers: Int32Array.from(rows, (row) => row.no),
    x: Float64Array.from(rows, (row) => row.x),
    y: Float64Array.from(rows, (row) => row.y),
    z: Float64Array.from(rows, (row) => row.z),
  }
}

type Visit = (index: number, dot: number) => void

function makeWalk(file: Sqlite.Database) {
  const trees = buildTrees(file)
  return (question: { centre: Point; miles: number; specialty: number }, visit: Visit): Tree => {
    const { centre, miles, specialty } = question
    const found = trees.get(specialty)
    if (found === undefined) throw new Error(`no specialty ${specialty}`)
    const { tree, x, y, z } = found
    const angle = miles / 3958.7613
    const c = unitVector(centre)
    const north = angle / RADIANS
    const east = Math.asin(Math.sin(angle) / Math.cos(centre.latitude * RADIANS)) / RADIANS
    const least = Math.cos(angle)
    const { latitude, longitude } = centre
    const ids = tree.range(longitude - east, latitude - north, longitude + east, latitude + north)
    for (const id of ids) {
      const dot = (x[id] ?? 0) * c.x + (y[id] ?? 0) * c.y + (z[id] ?? 0) * c.z
      if (dot >= least) visit(id, dot)
    }
    return found
  }
}

/** Two searches over the same trees: sorting all hits, and keeping only the ten nearest. */
export function treeSearches(file: Sqlite.Database): {
  sorting: TreeSearch
  selecting: TreeSearch
} {
  const walk = makeWalk(file)
  return {
    sorting: (centre, miles, specialty) => {
      const hits: { id: number; dot: number }[] = []
      const { numbers } = walk({ centre, miles, specialty }, (id, dot) => hits.push({ id, dot }))
      hits.sort((a, b) => b.dot - a.dot)
      return {
        total: hits.length,
        numbers: hits.slice(0, PAGE).map(({ id }) => numbers[id] ?? 0),
      }
    },
    selecting: (centre, miles, specialty) => {
      const best: { id: number; dot: number }[] = []
      let total = 0
      const { numbers } = walk({ centre, miles, specialty }, (id, dot) => {
        total++
        let place = best.length
        if (place === PAGE) {
          if (dot <= (best[PAGE - 1]?.dot ?? -2)) return
          place--
        }
        for (; place > 0 && (best[place - 1]?.dot ?? 2) < dot; place--) {
          const moved = best[place - 1]
          if (moved !== undefined) best[place] = moved
        }
        best[place] = { id, dot }
      })
      return { total, numbers: best.map(({ id }) => numbers[id] ?? 0) }
    },
  }
}
