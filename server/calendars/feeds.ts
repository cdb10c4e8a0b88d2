import type { Done } from '#contract/base/done.ts'
import { CalendarFeedId } from '#contract/base/ids.ts'
import { DAY_MS, toIso } from '#contract/base/time.ts'
import {
  type CalendarFeed,
  type CreateFeedInput,
  type CreateFeedResponse,
  FEED_PATH,
  type FeedRef,
  MAX_FEEDS,
} from '#contract/calendars.ts'
import { type Instant, toFlag } from '#db/columns.ts'
import { lockRows } from '#db/engine.ts'
import { tryWrite } from '#db/failures.ts'
import type { CalendarFeedRow } from '#db/tables/calendars.ts'
import { patientFeed, providerFeed } from '#server/booking/visits/calendar-feed.ts'
import type { Context, Services, SignedIn } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { consumeToken } from '#server/kernel/limits/rate-limit.ts'
import type { OutboxJob } from '#server/kernel/outbox-topics.ts'
import { sendEmail } from '#server/messages/send-email.ts'
import type { EmailContent } from '#server/messages/templates.ts'
import {
  deleteFeed,
  deleteFeedsOf,
  findByHash,
  findWithOwner,
  hasEnded,
  insertFeed,
  isOpen,
  listFeeds,
  type OpenFeed,
  touchFeed,
} from './store.ts'

/** How long visits stay in feeds after they end. */
const PAST_RETENTION_MS = 90 * DAY_MS

/** How long a cancelled visit stays in feeds, marked as cancelled, so that each calendar drops it. */
const CANCELLED_RETENTION_MS = 30 * DAY_MS

/** `last_read_at` is written no more often than this. */
const TOUCH_INTERVAL_MS = 60_000

/**
 * Limits of a feed: its visits end after `endAfter`, cancelled ones were cancelled after `cancelledAfter`.
 */
function windowOf(now: Instant): { endAfter: Instant; cancelledAfter: Instant } {
  return { endAfter: now - PAST_RETENTION_MS, cancelledAfter: now - CANCELLED_RETENTION_MS }
}

/** Whether an `If-None-Match` header names a version (RFC 9110, 13.1.2: compared weakly). */
export function isUnchanged(ifNoneMatch: string | null, etag: string): boolean {
  if (ifNoneMatch === null) return false
  return ifNoneMatch
    .split(',')
    .map((one) => one.trim().replace(/^W\//, ''))
    .some((one) => one === '*' || one === etag)
}

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
 * at the account's limit, and `session_ended` when the account was erased or suspended meanwhile.
 */
export async function createFeed(
  ctx: SignedIn,
  input: CreateFeedInput,
): Promise<CreateFeedResponse> {
  const { id: sessionId, accountNo, kind } = ctx.session
  const token = ctx.secrets.token()
  // Only providers' calendars contain other people's names.
  const showsNames = kind === 'provider' && input.showsNames
  const row = await ctx.transaction(async (tx) => {
    // Links made at the same time must not exceed the limit together, nor outlive what ends them all.
    await lockRows(tx.db, 'accounts', [accountNo])
    const isEnded = await hasEnded(tx.db, sessionId)
    if (isEnded || !(await isOpen(tx.db, accountNo))) throw new AppError('session_ended')
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
export async function eraseFeeds({ database }: Services, userId: string): Promise<void> {
  await deleteFeedsOf(database.db, userId)
}

/** A calendar and its entity tag. */
export type FeedText = { text: string; etag: string }

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
  const now = ctx.now()
  if (now - (feed.last_read_at ?? 0) >= TOUCH_INTERVAL_MS) {
    await tryWrite(touchFeed(ctx.database.db, feed.id, now))
  }
  return { text, etag: `"${ctx.secrets.mac('feed', text)}"` }
}

/** Emails the owner of a new calendar link, unless it was revoked or the account erased since. */
export async function deliverFeedCreated(
  services: Services,
  job: OutboxJob<'feed.created'>,
): Promise<void> {
  const { config, database } = services
  const found = await findWithOwner(database.db, job.feedId)
  if (found === undefined) return
  const names = found.shows_names === 1 ? ' and the first names of your patients' : ''
  const ofPatient = 'when and where your visits are, and with whom'
  await sendEmail(services, {
    topic: 'feed.created',
    deliveryId: job.deliveryId,
    to: found.email,
    userId: found.user_id,
    secrets: [],
    content: feedCreatedEmail({
      firstName: found.first_name,
      name: found.name,
      shows: found.kind === 'patient' ? ofPatient : `when and where your visits are${names}`,
      site: config.publicUrl,
      supportEmail: config.supportEmail,
    }),
  })
}

type CreatedFacts = {
  firstName: string
  name: string
  /** What the bearer of the URL can see. */
  shows: string
  site: string
  supportEmail: string
}

/** Email to the account owner that a calendar link was created, and what it reveals. */
function feedCreatedEmail(facts: CreatedFacts): EmailContent {
  const { firstName, name, shows, site, supportEmail } = facts
  return {
    heading: 'A calendar link was created',
    blocks: [
      {
        kind: 'paragraph',
        text: `Hello ${firstName},\nA private calendar link was created for your account. Anyone who has it can see ${shows}.`,
      },
      { kind: 'facts', rows: [['Link', name]] },
      { kind: 'link', label: 'See your calendar links', url: `${site}/userProfile#feeds` },
      {
        kind: 'small',
        text: `If this wasn’t you, revoke it there, change your password and write to ${supportEmail}.`,
      },
    ],
  }
}
