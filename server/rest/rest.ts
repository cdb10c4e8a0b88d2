import type { Services } from '#server/context.ts'
import type { Answers } from '#server/kernel/answer.ts'
import { randomText } from '#server/kernel/ids.ts'
import { answerCall } from './adapter.ts'
import { isOwnCall, type OwnCall, type RestCall } from './call.ts'
import { restCalls } from './calls.ts'
import { type Found, paramsOf, Routes } from './routes.ts'

const routes = new Routes(restCalls)

/** First parts of paths under which nothing lives but calls. */
const FOLDERS: ReadonlySet<string> = new Set(
  restCalls.flatMap(({ path }) => {
    const [first = '', ...rest] = path.replaceAll(/^\/|\/$/g, '').split('/')
    return rest.length === 0 ? [] : [first]
  }),
)

/**
 * Answers the documented paths, and what else the table holds. Null for a path that is none of
 * theirs, so that a page may be there.
 */
export function makeRest(services: Services, answers: Answers) {
  const own = new Map<OwnCall, ReturnType<OwnCall['make']>>()
  for (const call of restCalls) if (isOwnCall(call)) own.set(call, call.make(services, answers))

  function run(call: RestCall, asked: { request: Request; network: string; found: Found }) {
    const { request, network, found } = asked
    if (!isOwnCall(call)) {
      return answerCall(services, answers, {
        request,
        network,
        call,
        params: paramsOf(call, found),
      })
    }
    return own.get(call)?.(request, network)
  }

  return async (request: Request, network: string): Promise<Response | null> => {
    const { pathname } = new URL(request.url)
    const found = routes.find(pathname)
    const requestId = randomText(10)
    if (found === null) {
      const isOurs = FOLDERS.has(pathname.split('/')[1] ?? '')
      return isOurs ? answers.failure(404, 'not_found', { requestId }) : null
    }
    const method = request.method === 'HEAD' ? 'GET' : request.method
    const call = [...found.byMethod.values()].find((one) => one.method === method)
    const answer = call === undefined ? undefined : await run(call, { request, network, found })
    if (answer !== undefined) return answer
    const methods = [...found.byMethod.keys()]
    const allow = methods.includes('GET') ? ['HEAD', ...methods] : methods
    const headers = { allow: allow.toSorted().join(', ') }
    return answers.failure(405, 'method_not_allowed', { requestId, headers })
  }
}
