import type { Context } from '#server/context.ts'

/** Cookie with an unguessable id that ties a hold to a browser before sign-in. */
const COOKIE = 'visitor'

/** Longer than a hold, so that a visitor who picks another time keeps the same id. */
const COOKIE_SECONDS = 3_600

function hashOf({ secrets }: Pick<Context, 'secrets'>, value: string): string {
  return secrets.mac('visitor', value)
}

function readCookie({ client }: Context): string | null {
  const value = client.cookies.get(COOKIE)
  return value !== undefined && /^[A-Za-z0-9_-]{43}$/.test(value) ? value : null
}

/** Keyed hash of the visitor's cookie, the only form in which it is stored; null without a cookie. */
export function visitorOf(ctx: Context): string | null {
  const value = readCookie(ctx)
  return value === null ? null : hashOf(ctx, value)
}

/** The visitor of this request, or a new one; `remember` sets the cookie once the hold is committed. */
export function ensureVisitor(ctx: Context): { visitor: string; remember: () => void } {
  const value = readCookie(ctx) ?? ctx.secrets.token()
  const remember = () => ctx.reply.cookie(COOKIE, value, { maxAge: COOKIE_SECONDS })
  return { visitor: hashOf(ctx, value), remember }
}

/** Deletes the cookie: the visitor has no hold any more. */
export function clearVisitor(ctx: Context): void {
  ctx.reply.cookie(COOKIE, '', { maxAge: 0 })
}
