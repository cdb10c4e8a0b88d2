import type { Render } from '#contract/first-paint.ts'
import type { Context } from '#server/context.ts'
import { askAs, loadRender } from '#server/drawing.ts'
import type { Config } from '#server/kernel/config/config.ts'
import { hasDemoEntrance } from '#server/kernel/demo-mode.ts'
import { nextTurn } from '#server/kernel/limits/semaphore.ts'
import { pageConfig, renderedDocument } from './document.ts'
import { loggedPath } from './routes.ts'

/**
 * The pages people arrive at from elsewhere, and the one they must not lose when they load it again.
 * The others come after them, with their program there.
 */
const RENDERED =
  /^\/(?:home|results|doctor-profile\/[^/]+\/[^/]+|appointment\/[^/]+|visit\/[^/]+\/[^/]+)\/?$/

/** Their presence changes how a page looks; what they hold does not. */
const TELLING = ['demo_access_token', 'consentID', 'user_id']

/** Milliseconds; whoever has waited so long is better off with the bare page and its program. */
const PATIENCE_MS = 2_000

/** Pages under way at once in this process. Beyond, they come bare, which costs next to nothing. */
const MOST_AT_ONCE = 6

/** Of these, pages of one network: rendering holds the main thread, and others have to be answered. */
const MOST_OF_ONE = 2

/** The cookies a rendering may know of, without what they hold. */
function tellingCookies(cookies: ReadonlyMap<string, string>): string {
  return TELLING.filter((name) => cookies.has(name))
    .map((name) => `${name}=1`)
    .join('; ')
}

/** What a page is made of: the site's document, whose address it is, and what its scripts carry. */
export type PageRequest = { html: string; url: string; nonce: string }

/** Renders the document of a page before its program has arrived; null for pages served bare. */
export type FirstPaint = (ctx: Context, page: PageRequest) => Promise<string | null>

/**
 * Makes the rendering of first pages. Whatever a page shows was asked for as a visitor through tRPC,
 * with its limits, and it is the same for everybody: who is signed in only decides which menu is
 * shown. A page that fails, takes too long, comes while too many are under way or is one too many of its
 * network is served bare.
 */
export function makeFirstPaint(config: Config): FirstPaint {
  let loading: Promise<Render | null> | undefined
  const underWay: string[] = []

  const isTurnOf = ({ limiter, network }: Context): boolean => {
    const own = underWay.filter((one) => one === network)
    if (underWay.length >= MOST_AT_ONCE || own.length >= MOST_OF_ONE) return false
    return limiter.take('render', network).allowed
  }

  return async (ctx, { html, url, nonce }) => {
    const { pathname } = new URL(url)
    const { client, log, requestId } = ctx
    // Without the demo's cookie the page leads to the door.
    const isShut = hasDemoEntrance(config) && !client.cookies.has('demo_access_token')
    if (isShut || !RENDERED.test(pathname) || !isTurnOf(ctx)) return null
    underWay.push(ctx.network)
    try {
      // A rendering may run from its beginning to its end without a pause: requests that came together
      // are looked at together first, so that they count as under way together.
      await nextTurn()
      loading ??= loadRender(config)
      const render = await loading
      if (render === null) return null
      return await render({
        request: new Request(url, { signal: AbortSignal.timeout(PATIENCE_MS) }),
        nonce,
        cookies: tellingCookies(client.cookies),
        siteConfig: pageConfig(config),
        ask: askAs(ctx),
        toDocument: (page) => renderedDocument(html, page),
      })
    } catch (error) {
      // The program shows it in the browser all the same.
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
