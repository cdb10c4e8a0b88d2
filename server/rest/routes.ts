import type { RestCall, RestMethod } from './call.ts'

/** What a path leads to: the calls at it, by method, and what stands in place of the parameters. */
export type Found = {
  byMethod: ReadonlyMap<RestMethod, RestCall>
  values: readonly string[]
}

type Route = { segments: readonly string[]; byMethod: Map<RestMethod, RestCall> }

/** Two methods of one path may call its parameter by two names. */
const ANY = '{}'
const PARAMETER = /\{(\w+)\}/g

function segmentsOf(path: string): string[] {
  return path.replace(/^\//, '').replace(/\/$/, '').split('/')
}

/** Null where the percent signs mean nothing. */
function decoded(segment: string): string | null {
  try {
    return decodeURIComponent(segment)
  } catch {
    return null
  }
}

function valuesIn({ segments }: Route, given: readonly string[]): string[] | null {
  const values: string[] = []
  for (const [at, segment] of segments.entries()) {
    const text = given[at] ?? ''
    if (segment !== ANY && segment !== text) return null
    if (segment !== ANY) continue
    const value = decoded(text)
    if (value === null || value === '') return null
    values.push(value)
  }
  return values
}

/** The values by the names a call has for them. */
export function paramsOf({ path }: RestCall, { values }: Found): Record<string, string> {
  const names = [...path.matchAll(PARAMETER)].map(([, name = '']) => name)
  return Object.fromEntries(names.map((name, at) => [name, values[at] ?? '']))
}

/** Finds calls by the path of a request, with and without a slash at its end. */
export class Routes {
  /** By first segment and number of segments: few stand under each. */
  readonly #routes = new Map<string, Route[]>()

  constructor(calls: readonly RestCall[]) {
    for (const call of calls) this.#add(call)
  }

  #add(call: RestCall): void {
    const segments = segmentsOf(call.path.replaceAll(PARAMETER, ANY))
    const key = `${segments[0]} ${segments.length}`
    const routes = this.#routes.get(key) ?? []
    this.#routes.set(key, routes)
    const same = routes.find((route) => route.segments.join('/') === segments.join('/'))
    const route = same ?? { segments, byMethod: new Map<RestMethod, RestCall>() }
    if (same === undefined) routes.push(route)
    route.byMethod.set(call.method, call)
  }

  find(pathname: string): Found | null {
    const given = segmentsOf(pathname)
    for (const route of this.#routes.get(`${given[0]} ${given.length}`) ?? []) {
      const values = valuesIn(route, given)
      if (values !== null) return { byMethod: route.byMethod, values }
    }
    return null
  }
}
