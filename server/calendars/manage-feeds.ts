import type { Done } from '#contract/auth.ts'
import {
  type CalendarFeed,
  type CreateFeedInput,
  type CreateFeedResponse,
  FEED_PATH,
  type FeedRef,
  MAX_FEEDS,
} from '#contract/calendars.ts'
import { CalendarFeedId } from '#contract/ids.ts'
import { toIso } from '#contract/time.ts'
import { toFlag } from '#db/columns.ts'
import type { CalendarFeedRow } from '#db/tables/calendars.ts'
import type { Services, SignedIn } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { deleteFeed, deleteFeedsOf, insertFeed, listFeeds, lockAccount } from './store.ts'

function showFeed(row: CalendarFeedRow): CalendarFeed {
  return {
    id: CalendarFeedId.parse(row.id),
    name: row.name,
    showsNames: row.shows_names === 1,
    createdAt: toIso(row.created_at),
    lastReadAt: row.last_read_at === null ? null : toIso(row.last_read_at),
  }
}

/** The viewer's calendar links, the newest first. */
export async function readFeeds(ctx: SignedIn): Promise<CalendarFeed[]> {
  return (await listFeeds(ctx.database.db, ctx.session.accountNo)).map(showFeed)
}

/**
 * Creates a calendar link. Its URL is returned only here; only a hash is stored. Throws `calendar_feeds_full`
 * at the account's limit.
 */
export async function createFeed(
  ctx: SignedIn,
  input: CreateFeedInput,
): Promise<CreateFeedResponse> {
  const { accountNo, kind } = ctx.session
  const token = ctx.secrets.token()
  // Only providers' calendars contain other people's names.
  const showsNames = kind === 'provider' && input.showsNames
  const row = await ctx.transaction(async (tx) => {
    await lockAccount(tx.db, accountNo)
    const feeds = await listFeeds(tx.db, accountNo)
    if (feeds.length >= MAX_FEEDS) throw new AppError('calendar_feeds_full')
    const id = ctx.newId('cal')
    await tx.audit.add({
      action: 'calendar_feed.created',
      entity: id,
      details: { names: Number(showsNames) },
    })
    await tx.outbox.add('feed.created', { feedId: id })
    return insertFeed(tx.db, {
      id,
      account_no: accountNo,
      hash: ctx.secrets.mac('feed', token),
      name: input.name,
      shows_names: toFlag(showsNames),
      created_at: ctx.now(),
      last_read_at: null,
    })
  })
  const url = `${ctx.config.publicUrl}${FEED_PATH}/${token}.ics`
  return { url, feed: showFeed(row) }
}

/** Revokes one of the viewer's calendar links: its URL stops working. */
export async function revokeFeed(ctx: SignedIn, { id }: FeedRef): Promise<Done> {
  await ctx.transaction(async (tx) => {
    const isDeleted = await deleteFeed(tx.db, { accountNo: ctx.session.accountNo, id })
    if (!isDeleted) throw new AppError('not_found')
    await tx.audit.add({ action: 'calendar_feed.revoked', entity: id })
  })
  return { status: true }
}

/** Deletes the calendar links of an erased account, which have not worked since the erasure. */
export async function forgetFeeds({ database }: Services, userId: string): Promise<void> {
  await deleteFeedsOf(database.db, userId)
}
