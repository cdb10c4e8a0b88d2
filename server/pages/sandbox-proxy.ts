import type { Services } from '#server/context.ts'
import type { Answers, HeaderMap } from '#server/kernel/answer.ts'
import { JSON_LIMIT, readBody } from '#server/kernel/body.ts'
import { callHttp, type HttpAnswer, type HttpCall } from '#server/kernel/call-http.ts'
import { AppError } from '#server/kernel/errors.ts'
import { randomText } from '#server/kernel/ids.ts'
import { isLoopbackHost, networkOf } from '#server/kernel/network.ts'
import { isOwnRequest } from '#server/kernel/origin.ts'

/** What a test page may do: run our own files, be framed by us alone. */
const POLICY = [
  "default-src 'self'",
  "frame-src 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "frame-ancestors 'self'",
  "form-action 'self'",
].join('; ')

const PASSED_ON = ['content-type', 'cache-control', 'location']
const STATUS: Readonly<Record<string, number>> = {
  not_found: 404,
  foreign_origin: 403,
  body_too_large: 413,
}
const ANSWER_MS = 10_000
const MOST_BYTES = 16 * 1_024 * 1_024

function isOperatorPath(pathname: string): boolean {
  return /^\/sandbox\/?$|^\/sandbox\/operator/.test(pathname)
}

/** Somebody at this machine. What a proxy passes on is somebody else, wherever the proxy runs. */
function isOwnMachine({ headers }: Request, network: string): boolean {
  if (headers.has('x-forwarded-for') || headers.has('forwarded')) return false
  return isLoopbackHost(network) || network === networkOf('::1')
}

/**
 * Passes `/sandbox/*` on to the embedded sandbox, so that its pages are of our own origin. Null when
 * there is no sandbox. Cookies stay here; the operator's page is for callers on this machine alone.
 */
export function makeSandboxProxy(services: Services, answers: Answers) {
  const { standIn } = services.gateways

  async function ask(request: Request, base: string, isLocal: boolean): Promise<HttpAnswer> {
    const { pathname, search } = new URL(request.url)
    const headers: Record<string, string> = isLocal ? { 'x-sandbox-operator': 'yes' } : {}
    const type = request.headers.get('content-type')
    if (type !== null) headers['content-type'] = type
    const call: HttpCall = { method: 'GET', headers, timeoutMs: ANSWER_MS, mostBytes: MOST_BYTES }
    if (request.method === 'POST') {
      call.method = 'POST'
      call.body = await readBody(request, JSON_LIMIT)
    }
    return callHttp(`${base}${pathname}${search}`, call)
  }

  async function pass(request: Request, network: string): Promise<Response> {
    const isLocal = isOwnMachine(request, network)
    if (standIn === null || (isOperatorPath(new URL(request.url).pathname) && !isLocal)) {
      throw new AppError('not_found')
    }
    if (request.method === 'POST' && !isOwnRequest(request, services.config)) {
      throw new AppError('foreign_origin')
    }
    const { stripe } = await standIn.access()
    const answer = await ask(request, stripe.base ?? '', isLocal)
    const headers: HeaderMap = { 'content-security-policy': POLICY, 'cache-control': 'no-store' }
    for (const name of PASSED_ON) {
      const value = answer.header(name)
      if (value !== null) headers[name] = value
    }
    return answers.send(answer.status, answer.body, headers)
  }

  return async (request: Request, network: string): Promise<Response> => {
    const requestId = randomText(10)
    try {
      return await pass(request, network)
    } catch (error) {
      if (error instanceof AppError) {
        const status = STATUS[error.code]
        return answers.failure(status ?? 400, error.code, { requestId })
      }
      services.log.warn({ err: error, requestId }, 'the payment sandbox did not answer')
      return answers.failure(502, 'upstream_unavailable', { requestId })
    }
  }
}
