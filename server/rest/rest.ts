import { Hono } from 'hono'
import type { Services } from '#server/context.ts'
import { methodNotAllowed, notFound } from '#server/http/errors.ts'
import type { HttpEnv } from '#server/http/request-context.ts'
import { callRoutes } from './answer-call.ts'
import { isOwnCall, type RestCall } from './call.ts'
import { restCalls } from './calls.ts'

/** A path as the router writes it: `/api/doctors/{id}/` is `/api/doctors/:id`. */
function routeOf({ path }: RestCall): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1').replace(/\/$/, '')
}

/** One and the same path, whatever two calls have named its parameters. */
function placeOf(call: RestCall): string {
  return routeOf(call).replaceAll(/:\w+/g, ':id')
}

function allowOf(calls: readonly RestCall[]): string {
  const methods = calls.map(({ method }) => method)
  return (methods.includes('GET') ? ['HEAD' as const, ...methods] : methods).toSorted().join(', ')
}

/** First parts of paths below which nothing lives but calls. */
function foldersOf(places: Iterable<string>): Set<string> {
  const parts = [...places].map((place) => place.split('/').slice(1))
  return new Set(parts.flatMap(([first = '', ...rest]) => (rest.length > 0 ? first : [])))
}

/** The documented paths, and what else the table holds, with and without a slash at their end. */
export function restRoutes(services: Services): Hono<HttpEnv> {
  const routes = new Hono<HttpEnv>()
  for (const call of restCalls) {
    if (isOwnCall(call)) routes.on(call.method, routeOf(call), ...call.make(services))
    else routes.route('/', callRoutes(call, routeOf(call)))
  }
  const places = Map.groupBy(restCalls, placeOf)
  for (const [place, calls] of places) routes.all(place, methodNotAllowed(allowOf(calls)))
  for (const folder of foldersOf(places.keys())) routes.all(`/${folder}/*`, notFound)
  return routes
}
