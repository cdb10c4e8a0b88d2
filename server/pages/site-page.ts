import type { RenderedPage, SiteConfig } from '#contract/base/server-rendering.ts'
import type { Context, Services } from '#server/context.ts'
import type { HttpContext } from '#server/http/request-context.ts'
import type { Config } from '#server/kernel/config/config.ts'
import { yieldToEventLoop } from '#server/kernel/limits/semaphore.ts'
import { type Build, loadBuild, queryAs } from '#server/rendering.ts'
import { loggedPath } from './secret-paths.ts'

/** The public configuration for the pages; it contains no secrets. */
function siteConfig(config: Config): SiteConfig {
  const { demo, tileUrl, tileAttribution, supportEmail, company } = config
  return { demo, tileUrl, tileAttribution, supportEmail, company }
}

/** Cookies whose presence changes how a page looks; their values don't matter. */
const RENDER_COOKIES = ['demo_access_token', 'consentID', 'user_id']

/** Rendering timeout in milliseconds; beyond it the bare page with its scripts is better. */
const TIMEOUT_MS = 2_000

/** Maximum concurrent renders in this process; beyond it pages are served bare, which costs almost nothing. */
const MAX_RENDERS = 6

/** Maximum concurrent renders of one network: rendering blocks the main thread for everybody. */
const MAX_RENDERS_PER_NETWORK = 2

/**
 * Makes the server rendering of pages. A page's data is fetched through tRPC as a visitor, with its rate
 * limits, and is the same for everybody: a session only decides which menu is shown. A page is served bare
 * when it fails, takes too long, or exceeds the concurrency limits.
 */
function makePageRenderer(config: Config) {
  const site = siteConfig(config)
  const underWay: string[] = []

  const isTurnOf = ({ limiter, network }: Context): boolean => {
    const own = underWay.filter((one) => one === network)
    if (underWay.length >= MAX_RENDERS || own.length >= MAX_RENDERS_PER_NETWORK) return false
    return limiter.take('render', network).allowed
  }

  return async (c: HttpContext, { render, manifest }: Build): Promise<RenderedPage> => {
    const { ctx } = c.var
    const { client, log, network, requestId } = ctx
    const renderAs = (options: { isBare: boolean }) =>
      render({
        ...options,
        request: new Request(c.req.url, { signal: AbortSignal.timeout(TIMEOUT_MS) }),
        nonce: c.get('secureHeadersNonce') ?? '',
        site,
        cookies: RENDER_COOKIES.filter((name) => client.cookies.has(name)),
        query: queryAs(ctx),
        build: manifest,
      })

    const renderWhole = async () => {
      if (!isTurnOf(ctx)) return null
      underWay.push(network)
      try {
        // A render may run without yielding, so requests that arrived together must all be registered first to
        // count as concurrent.
        await yieldToEventLoop()
        return await renderAs({ isBare: false })
      } catch (error) {
        // The browser still renders the page.
        const pathname = loggedPath(new URL(c.req.url).pathname)
        log.error({ err: error, requestId, pathname }, 'a page could not be rendered')
        return null
      } finally {
        underWay.splice(underWay.indexOf(network), 1)
      }
    }

    const page = (await renderWhole()) ?? (await renderAs({ isBare: true }))
    if (page === null) throw new Error('A bare page neither redirects nor fetches anything.')
    return page
  }
}

const NOT_BUILT = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Not built yet</title>
<h1>The pages have not been built yet</h1><p>Run <code>npm start</code>, which builds them.</p></html>`

/** Serves the pages of the site: landing pages rendered whole, all others for their script to fill. */
export function makeSitePage({ config }: Services) {
  const renderPage = makePageRenderer(config)
  let loading: Promise<Build | null> | undefined

  return async (c: HttpContext): Promise<Response> => {
    loading ??= loadBuild(config)
    const build = await loading
    if (build === null) {
      loading = undefined
      return c.html(NOT_BUILT, 503)
    }
    c.header('cache-control', 'no-cache')
    c.header('vary', 'cookie')
    const { html, status } = await renderPage(c, build)
    return c.html(html, status)
  }
}
