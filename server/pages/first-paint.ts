import type { Render } from '#contract/first-paint.ts'
import type { Context } from '#server/context.ts'
import { askAs, loadRender } from '#server/drawing.ts'
import type { Config } from '#server/kernel/config/config.ts'
import { hasDemoEntrance } from '#server/kernel/demo-mode.ts'
import { renderedDocument } from './document.ts'
import { pageConfig } from './page-config.ts'

/**
 * The pages people arrive at from elsewhere, and the one they must not lose when they load it again.
 * The others come after them, with their program there.
 */
const RENDERED = /^\/(?:home|results|doctor-profile\/[^/]+\/[^/]+|appointment\/[^/]+)\/?$/

/** Their presence changes how a page looks; what they hold does not. */
const TELLING = ['demo_access_token', 'consentID', 'user_id']

/** Milliseconds; whoever has waited so long is better off with the bare page and its program. */
const PATIENCE_MS = 2_000

/** Pages under way at once in this process. Beyond, they come bare, which costs next to nothing. */
const MOST_AT_ONCE = 16

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
 * shown. A page that fails, takes too long or comes while too many are under way is served bare.
 */
export function makeFirstPaint(config: Config): FirstPaint {
  let loading: Promise<Render | null> | undefined
  let underWay = 0

  return async (ctx, { html, url, nonce }) => {
    const { pathname } = new URL(url)
    const { client, log, requestId } = ctx
    // Without the demo's cookie the page leads to the door.
    const isShut = hasDemoEntrance(config) && !client.cookies.has('demo_access_token')
    if (isShut || !RENDERED.test(pathname) || underWay >= MOST_AT_ONCE) return null
    underWay += 1
    try {
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
      log.error({ err: error, requestId, pathname }, 'a page could not be rendered')
      return null
    } finally {
      underWay -= 1
    }
  }
}
