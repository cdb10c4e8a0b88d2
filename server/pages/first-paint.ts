import type { Paint, Painted } from '#contract/first-paint.ts'
import type { Context } from '#server/context.ts'
import { askAs, loadPaint } from '#server/drawing.ts'
import type { Config } from '#server/kernel/config.ts'
import { pageConfig } from './page-config.ts'

/**
 * The pages people arrive at from elsewhere, and the one they must not lose when they load it again.
 * The others come after them, with their program there.
 */
const DRAWN = /^\/(?:home|results|doctor-profile\/[^/]+\/[^/]+|appointment\/[^/]+)\/?$/

/** Their presence changes how a page looks; what they hold does not. */
const TELLING = ['demo_access_token', 'consentID', 'user_id']

/** The cookies a drawing may know of, without what they hold. */
function tellingCookies(cookies: ReadonlyMap<string, string>): string {
  return TELLING.filter((name) => cookies.has(name))
    .map((name) => `${name}=1`)
    .join('; ')
}

/** Draws pages before their program has arrived; null for pages that are served bare. */
export type FirstPaint = (ctx: Context, url: string) => Promise<Painted | null>

/**
 * Makes the drawing of first pages. Whatever a page shows was asked for as a visitor through tRPC,
 * with its limits, and it is the same for everybody: who is signed in only decides which menu is
 * shown.
 */
export function makeFirstPaint(config: Config): FirstPaint {
  let loading: Promise<Paint | null> | undefined

  return async (ctx, url) => {
    const { pathname, search } = new URL(url)
    const { client, log, requestId } = ctx
    // Without the demo's cookie the page leads to the door.
    const isShut = config.demo && !client.cookies.has('demo_access_token')
    if (isShut || !DRAWN.test(pathname)) return null
    try {
      loading ??= loadPaint(config)
      const paint = await loading
      if (paint === null) return null
      const cookies = tellingCookies(client.cookies)
      const href = pathname + search
      return await paint({ href, cookies, siteConfig: pageConfig(config), ask: askAs(ctx) })
    } catch (error) {
      // The program draws it in the browser all the same.
      log.error({ err: error, requestId, pathname }, 'a page could not be drawn')
      return null
    }
  }
}
