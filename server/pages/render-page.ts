import type { Render } from '#contract/first-paint.ts'
import type { Context } from '#server/context.ts'
import type { Config } from '#server/kernel/config/config.ts'
import { hasDemoEntrance } from '#server/kernel/demo-mode.ts'
import { yieldToEventLoop } from '#server/kernel/limits/semaphore.ts'
import { loadRender, queryAs } from '#server/rendering.ts'
import { pageConfig, renderedDocument } from './document.ts'
import { loggedPath } from './routes.ts'

/**
 * Server-rendered pages: those that visitors land on, and those they must not lose on a reload. All others
 * are reached by client-side navigation. The page of an impossible provider is served bare, as that of one
 * who does not exist is: it has a search box, whose specialties only the browser may have at hand.
 */
const RENDERED =
  /^\/(?:home|results|doctor-profile\/prv_[0-9a-z]{26}\/[^/]+|appointment\/prv_[0-9a-z]{26}|visit\/[^/]+\/[^/]+)\/?$/

/** Cookies whose presence changes how a page looks; their values don't matter. */
const RENDER_COOKIES = ['demo_access_token', 'consentID', 'user_id']

/** Rendering timeout in milliseconds; beyond it the bare page with its scripts is better. */
const TIMEOUT_MS = 2_000

/** Maximum concurrent renders in this process; beyond it pages are served bare, at almost no cost. */
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
export function makePageRenderer(config: Config): RenderPage {
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
        ask: queryAs(ctx),
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
