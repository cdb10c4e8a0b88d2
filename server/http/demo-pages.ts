import { Hono } from 'hono'
import type { Services } from '#server/context.ts'
import { hasDemoEntrance } from '#server/kernel/demo-mode.ts'
import { UpstreamError } from '#server/kernel/errors.ts'
import { callHttp, type HttpCall, type HttpResponse } from '#server/kernel/wire/call-http.ts'
import { assertNoNul } from '#server/kernel/wire/input.ts'
import { filesOf, mailJson, renderMail, renderMailbox } from '#server/messages/mailbox-page.ts'
import { findMail, listMails } from '#server/messages/store.ts'
import { notFound } from './errors.ts'
import type { HttpContext, HttpEnv, Middleware } from './request-context.ts'
import {
  budget,
  isLocalRequest,
  JSON_LIMIT,
  limitBody,
  readText,
  sameOrigin,
} from './route-guards.ts'

/** Policy of a shown email: its own inline styles and nothing else, not even images. */
const MAIL_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; object-src 'none'; base-uri 'none'; " +
  "form-action 'none'; frame-ancestors 'self'; sandbox allow-popups allow-top-navigation-by-user-activation"

/** Inside the frame, links must open outside it: our own pages refuse to be framed. */
function withTopTarget(html: string): string {
  return html.replace('<head>', '<head><base target="_top">')
}

/** The address to filter by, lower-cased as emails are stored; null for all. */
function addressIn(query: string | undefined): string | null {
  const to = query?.trim().toLowerCase() ?? ''
  assertNoNul(to)
  return to === '' ? null : to
}

const MAIL_ROUTE = '/demo/mailbox/:id{eml_[a-z0-9]+}'

/**
 * The pages below `/demo/mailbox`, which show the demo's emails. 404 for an unknown path, and always outside
 * a demo.
 */
export function mailboxRoutes({ config, database: { db } }: Services): Hono<HttpEnv> {
  const routes = new Hono<HttpEnv>()
  if (!hasDemoEntrance(config)) return routes

  // This pattern includes `/demo/mailbox` itself.
  routes.use('/demo/mailbox/*', budget('demo'))
  routes.use('/demo/mailbox.json', budget('demo'))

  routes.get('/demo/mailbox', async (c) => {
    const to = addressIn(c.req.query('to'))
    return c.html(renderMailbox(await listMails(db, to), to))
  })
  routes.get('/demo/mailbox.json', async (c) => {
    const mails = await listMails(db, addressIn(c.req.query('to')))
    return c.json({ mails: mails.map(mailJson) })
  })
  routes.get(MAIL_ROUTE, async (c, next) => {
    const mail = await findMail(db, c.req.param('id'))
    return mail === undefined ? notFound(c, next) : c.html(renderMail(mail))
  })
  routes.get(`${MAIL_ROUTE}/html`, async (c, next) => {
    const mail = await findMail(db, c.req.param('id'))
    if (mail === undefined) return notFound(c, next)
    c.header('content-security-policy', MAIL_POLICY)
    return c.html(withTopTarget(mail.html_body))
  })
  // Attachments are downloaded, never shown as a page of this site.
  routes.get(`${MAIL_ROUTE}/files/:at{[0-9]}`, async (c, next) => {
    const mail = await findMail(db, c.req.param('id'))
    const file = mail === undefined ? undefined : filesOf(mail)[Number(c.req.param('at'))]
    if (file === undefined) return notFound(c, next)
    return c.body(file.text, 200, {
      'content-type': file.type,
      'content-disposition': `attachment; filename="${file.name}"`,
    })
  })
  return routes
}

const VIDEO_PAGE = `<!doctype html>
<html lang="en-GB">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>Demo video room</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/mailbox.css">
</head>
<body>
<header><p><a href="/home"><img src="/favicon.svg" alt="" width="32" height="32">Apposite</a> <span>Demo video room</span></p></header>
<main>
<h1>You’ve joined the video visit</h1>
<p>This page stands in for a video server. In a real installation the patient and the provider would see each other here; your camera and microphone are off.</p>
<p>Both of them get to this same room, which only this visit has.</p>
</main>
</body>
</html>
`

/**
 * The demo's simulated video server, which hosts the rooms of video visits: a page that says so. 404 outside
 * a demo.
 */
export function demoVideoRoutes({ config }: Pick<Services, 'config'>): Hono<HttpEnv> {
  const routes = new Hono<HttpEnv>()
  if (!hasDemoEntrance(config)) return routes
  routes.use('/demo/video/*', budget('demo'))
  routes.get('/demo/video/:room{room_[a-z0-9]{26}}', (c) => c.html(VIDEO_PAGE))
  return routes
}

/** Policy of the sandbox pages: they run our own files and may be framed only by us. */
const SANDBOX_POLICY = [
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
 * Forwards `/sandbox/*` to the sandbox, so that its pages have our own origin; 404 without a
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
    const headers = new Headers({ 'content-security-policy': SANDBOX_POLICY })
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
