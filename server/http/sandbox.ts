import { Hono } from 'hono'
import type { Services } from '#server/context.ts'
import { UpstreamError } from '#server/kernel/errors.ts'
import { callHttp, type HttpCall, type HttpResponse } from '#server/kernel/wire/call-http.ts'
import { JSON_LIMIT, limitBody, readText } from './body.ts'
import { budget } from './budget.ts'
import { notFound } from './errors.ts'
import { isLocalRequest, sameOrigin } from './origin.ts'
import type { HttpContext, HttpEnv, Middleware } from './request-context.ts'

/** Policy of the sandbox pages: they run our own files and may be framed only by us. */
const POLICY = [
  "default-src 'self'",
  "frame-src 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "frame-ancestors 'self'",
  "form-action 'self'",
].join('; ')

const FORWARDED_HEADERS = ['content-type', 'cache-control', 'location']
const TIMEOUT_MS = 10_000
const MAX_BYTES = 16 * 1_024 * 1_024

function isOperatorPath(pathname: string): boolean {
  return /^\/sandbox\/?$|^\/sandbox\/operator/.test(pathname)
}

/** Forwards a request to the sandbox at `base`, without cookies. */
async function forward(c: HttpContext, base: string, isLocal: boolean): Promise<HttpResponse> {
  const { pathname, search } = new URL(c.req.url)
  const headers: Record<string, string> = isLocal ? { 'x-sandbox-operator': 'yes' } : {}
  const type = c.req.header('content-type')
  if (type !== undefined) headers['content-type'] = type
  const call: HttpCall = { method: 'GET', headers, timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES }
  if (c.req.method === 'POST') {
    call.method = 'POST'
    call.body = await readText(c)
  }
  try {
    return await callHttp(`${base}${pathname}${search}`, call)
  } catch (error) {
    throw new UpstreamError('The payment sandbox', error)
  }
}

/**
 * Forwards `/sandbox/*` to the embedded sandbox, so that its pages have our own origin; 404 without a
 * sandbox. The operator's page works only from this machine.
 */
export function sandboxRoutes({ gateways }: Services): Hono<HttpEnv> {
  const { sandbox } = gateways
  const pass: Middleware = async (c, next) => {
    const { network } = c.var.ctx
    const isLocal = isLocalRequest(c.req.raw, network)
    if (sandbox === null || (isOperatorPath(c.req.path) && !isLocal)) return notFound(c, next)
    const { stripe } = await sandbox.access()
    const answer = await forward(c, stripe.base ?? '', isLocal)
    const headers = new Headers({ 'content-security-policy': POLICY })
    for (const name of FORWARDED_HEADERS) {
      const value = answer.headers.get(name)
      if (value !== null) headers.set(name, value)
    }
    return new Response(answer.body, { status: answer.status, headers })
  }
  const routes = new Hono<HttpEnv>()
  routes.get('/sandbox/*', budget('demo'), pass)
  routes.post('/sandbox/*', budget('demo'), sameOrigin, limitBody(JSON_LIMIT), pass)
  return routes
}
