import { isDatabaseDown } from '#db/failures.ts'
import { patientFeed, providerFeed } from '#server/booking/visits/calendar-feed.ts'
import type { Context } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { consumeToken } from '#server/kernel/limits/rate-limit.ts'
import { TOUCH_INTERVAL_MS, windowOf } from './rules.ts'
import { findByHash, type OpenFeed, touchFeed } from './store.ts'

/** A calendar and its entity tag. */
export type FeedText = { text: string; etag: string }

/** Best effort: a busy or full database must not fail the request. */
async function touchLastRead({ database, now }: Context, feed: OpenFeed): Promise<void> {
  if (now() - (feed.last_read_at ?? 0) < TOUCH_INTERVAL_MS) return
  try {
    await touchFeed(database.db, feed.id, now())
  } catch (error) {
    if (!isDatabaseDown(error)) throw error
  }
}

function textOf(ctx: Context, feed: OpenFeed): Promise<string> {
  const options = { ...windowOf(ctx.now()), site: ctx.config.publicUrl }
  const { db } = ctx.database
  if (feed.provider_no === null) return patientFeed(db, { ...options, patientNo: feed.account_no })
  const showsNames = feed.shows_names === 1
  return providerFeed(ctx, { ...options, providerNo: feed.provider_no, showsNames })
}

/**
 * The current calendar behind a token. The text, and so its tag, only changes when the content does. Throws
 * `not_found` for every unknown or revoked token.
 */
export async function readFeed(ctx: Context, token: string): Promise<FeedText> {
  const feed = await findByHash(ctx.database.db, ctx.secrets.mac('feed', token))
  if (feed === undefined) throw new AppError('not_found')
  consumeToken(ctx, 'calendar_feed', feed)
  const text = await textOf(ctx, feed)
  await touchLastRead(ctx, feed)
  return { text, etag: `"${ctx.secrets.mac('feed', text)}"` }
}
