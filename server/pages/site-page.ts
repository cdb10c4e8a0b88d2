import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Render, RenderedPage } from '#contract/base/server-rendering.ts'
import type { Context, Services } from '#server/context.ts'
import type { HttpContext } from '#server/http/request-context.ts'
import type { Config } from '#server/kernel/config/config.ts'
import { hasDemoEntrance } from '#server/kernel/demo-mode.ts'
import { yieldToEventLoop } from '#server/kernel/limits/semaphore.ts'
import { loadRender, queryAs } from '#server/rendering.ts'
import { loggedPath } from './routes.ts'

const CONFIG = /(<script type="application\/json" id="site-config">)[^<]*(<\/script>)/
const DOCTYPE = /^<!doctype html>\s*/i
const ROOT = /<div id="root">[\s\S]*<\/div>(?=\s*<\/body>)/
const TITLE = /<title>[^<]*<\/title>/
const DESCRIPTION = /<meta\s+name="description"[^>]*>/
const BOOT = '<script src="/boot.js"'

/** The entry script and its preloaded imports, as the build writes them into the head. */
const SCRIPT_TAGS = /<script type="module"[^>]*><\/script>|<link rel="modulepreload"[^>]*>/g

/** JSON that cannot close the script element around it. */
function scriptJson(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c')
}

/** Inserts the site configuration into the document. */
function pageWithConfig(html: string, config: Config): string {
  const json = scriptJson(pageConfig(config))
  return html.replace(CONFIG, (_all, before: string, after: string) => `${before}${json}${after}`)
}

/** Replaces the match in the document with the match in `head`, if there is one. */
function replaceIn(html: string, pattern: RegExp, head: string): string {
  const found = pattern.exec(head)?.[0]
  return found === undefined ? html : html.replace(pattern, () => found)
}

/**
 * Inserts a rendered page into the document, followed by what can wait until after first paint: the scripts,
 * which `public/boot.js` then loads. Omits the doctype, which the router adds.
 */
export function renderedDocument(html: string, page: RenderedPage): string {
  const { head, body, assumedRegion, isSignedIn } = page
  const audience = isSignedIn ? 'member' : 'visitor'
  const named = replaceIn(replaceIn(html, TITLE, head), DESCRIPTION, head)
  const scriptTags = named.match(SCRIPT_TAGS) ?? []
  const parts = [
    `<div id="root" data-rendered="${audience}" data-assumed-region="${assumedRegion ?? ''}">${body}</div>`,
    `<template id="program">${scriptTags.join('')}</template>`,
  ]
  return named
    .replace(DOCTYPE, '')
    .replaceAll(SCRIPT_TAGS, '')
    .replace(BOOT, `${BOOT} data-after-paint`)
    .replace(ROOT, () => parts.join('\n'))
}

/** The public configuration for the pages; it contains no secrets. */
function pageConfig(config: Config) {
  const { demo, tileUrl, tileAttribution, supportEmail, company } = config
  return { demo, tileUrl, tileAttribution, supportEmail, company }
}

/**
 * Server-rendered pages: those that visitors land on, and those they must not lose on a reload. All others
 * are reached by client-side navigation. The page of an impossible provider is served bare, as that of one
 * who does not exist is: it has a search box, whose specialties only the browser may have cached.
 */
const RENDERED =
  /^\/(?:home|results|doctor-profile\/prv_[0-9a-z]{26}\/[^/]+|appointment\/prv_[0-9a-z]{26}|visit\/[^/]+\/[^/]+)\/?$/

/** Cookies whose presence changes how a page looks; their values don't matter. */
const RENDER_COOKIES = ['demo_access_token', 'consentID', 'user_id']

/** Rendering timeout in milliseconds; beyond it the bare page with its scripts is better. */
const TIMEOUT_MS = 2_000

/** Maximum concurrent renders in this process; beyond it pages are served bare, which costs almost nothing. */
const MAX_RENDERS = 6

/** Maximum concurrent renders of one network: rendering blocks the main thread for everybody. */
const MAX_RENDERS_PER_NETWORK = 2

/** The cookies that rendering may see, without their values. */
function renderCookies(cookies: ReadonlyMap<string, string>): string {
  return RENDER_COOKIES.filter((name) => cookies.has(name))
    .map((name) => `${name}=1`)
    .join('; ')
}

/** Input of a rendering: the site's HTML document, the request URL, and the nonce of its scripts. */
export type PageRequest = { html: string; url: string; nonce: string }

/** Renders a page on the server; null for pages served bare. */
export type RenderPage = (ctx: Context, page: PageRequest) => Promise<string | null>

/**
 * Makes the server rendering of pages. A page's data is fetched through tRPC as a visitor, with its rate
 * limits, and is the same for everybody: a session only decides which menu is shown. A page is served bare
 * when it fails, takes too long, or exceeds the concurrency limits.
 */
function makePageRenderer(config: Config): RenderPage {
  let loading: Promise<Render | null> | undefined
  const underWay: string[] = []

  const isTurnOf = ({ limiter, network }: Context): boolean => {
    const own = underWay.filter((one) => one === network)
    if (underWay.length >= MAX_RENDERS || own.length >= MAX_RENDERS_PER_NETWORK) return false
    return limiter.take('render', network).allowed
  }

  return async (ctx, { html, url, nonce }) => {
    const { pathname } = new URL(url)
    const { client, log, requestId } = ctx
    // Without the demo's cookie the page redirects to the entrance.
    const isShut = hasDemoEntrance(config) && !client.cookies.has('demo_access_token')
    if (isShut || !RENDERED.test(pathname) || !isTurnOf(ctx)) return null
    underWay.push(ctx.network)
    try {
      // A render may run without yielding, so requests that arrived together must all be registered first to
      // count as concurrent.
      await yieldToEventLoop()
      loading ??= loadRender(config)
      const render = await loading
      if (render === null) return null
      return await render({
        request: new Request(url, { signal: AbortSignal.timeout(TIMEOUT_MS) }),
        nonce,
        cookies: renderCookies(client.cookies),
        siteConfig: pageConfig(config),
        query: queryAs(ctx),
        toDocument: (page) => renderedDocument(html, page),
      })
    } catch (error) {
      // The browser still renders the page.
      log.error(
        { err: error, requestId, pathname: loggedPath(pathname) },
        'a page could not be rendered',
      )
      return null
    } finally {
      underWay.splice(underWay.indexOf(ctx.network), 1)
    }
  }
}

/** The site's document with its configuration; null before the first build. */
async function readDocument(config: Config): Promise<string | null> {
  let html: string
  try {
    html = await readFile(join(config.clientDir, 'index.html'), 'utf8')
  } catch {
    return null
  }
  return pageWithConfig(html, config)
}

const NOT_BUILT = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Not built yet</title>
<h1>The pages have not been built yet</h1><p>Run <code>npm start</code>, which builds them.</p></html>`

/**
 * Serves the site's single HTML document, whose script shows the page of the address. Landing pages are
 * already rendered.
 */
export function makeSitePage({ config }: Services) {
  const render = makePageRenderer(config)
  let reading: Promise<string | null> | undefined

  return async (c: HttpContext, status: 200 | 404): Promise<Response> => {
    reading ??= readDocument(config)
    const html = await reading
    if (html === null) {
      reading = undefined
      return c.html(NOT_BUILT, 503)
    }
    c.header('cache-control', 'no-cache')
    c.header('vary', 'cookie')
    const nonce = c.get('secureHeadersNonce') ?? ''
    const rendered =
      status === 200 ? await render(c.var.ctx, { html, url: c.req.url, nonce }) : null
    return c.html(rendered ?? html, status)
  }
}
