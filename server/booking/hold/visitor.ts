import type { Context } from '#server/context.ts'

/** An unguessable value that says which time a browser keeps before anybody has signed in. */
const COOKIE = 'visitor'

/** Longer than a time is kept, so that a visitor who takes another one is the same visitor. */
const COOKIE_SECONDS = 3_600

function hashOf({ secrets }: Pick<Context, 'secrets'>, value: string): string {
  return secrets.mac('visitor', value)
}

function valueIn({ client }: Context): string | null {
  const value = client.cookies.get(COOKIE)
  return value !== undefined && /^[A-Za-z0-9_-]{43}$/.test(value) ? value : null
}

/** The keyed hash of the visitor's cookie, which is all that is kept of it; null without one. */
export function visitorOf(ctx: Context): string | null {
  const value = valueIn(ctx)
  return value === null ? null : hashOf(ctx, value)
}

/** The visitor of this request, or a new one; `remember` sets the cookie once the hold is committed. */
export function meetVisitor(ctx: Context): { visitor: string; remember: () => void } {
  const value = valueIn(ctx) ?? ctx.secrets.token()
  const remember = () => ctx.reply.cookie(COOKIE, value, { maxAge: COOKIE_SECONDS })
  return { visitor: hashOf(ctx, value), remember }
}

/** Takes the cookie back: nothing is kept for the visitor any more. */
export function forgetVisitor(ctx: Context): void {
  ctx.reply.cookie(COOKIE, '', { maxAge: 0 })
}
