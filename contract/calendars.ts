import * as z from 'zod/mini'
import { CalendarFeedId } from './base/ids.ts'
import { IsoInstant } from './base/time.ts'

/** Most calendar links an account can have at a time. */
export const MAX_FEEDS = 3

/** The path of a feed, before its token and `.ics`. */
export const FEED_PATH = '/calendar'

const NAME_MISSING = 'Give the link a name, such as the calendar that uses it.'

export const CreateFeedInput = z.strictObject({
  name: z.string({ error: NAME_MISSING }).check(
    z.trim(),
    z.minLength(1, { error: NAME_MISSING, abort: true }),
    z.maxLength(60, { error: 'Use 60 characters or fewer.' }),
    z.regex(/^[^\p{Cc}\p{Cf}\p{Co}\p{DI}\p{Zl}\p{Zp}]*$/u, {
      error: 'Use only letters, numbers and punctuation.',
    }),
  ),
  /** Providers only: shows the first names of patients, who are otherwise not named at all. */
  showsNames: z._default(z.boolean(), false),
})
export type CreateFeedInput = z.infer<typeof CreateFeedInput>

/** A calendar link as its owner sees it after creation; the address itself is shown only once. */
export const CalendarFeed = z.object({
  id: CalendarFeedId,
  name: z.string(),
  showsNames: z.boolean(),
  createdAt: IsoInstant,
  /** Null until a calendar has read it; to the minute. */
  lastReadAt: z.nullable(IsoInstant),
})
export type CalendarFeed = z.infer<typeof CalendarFeed>

export const CalendarFeeds = z.array(CalendarFeed)

/** `url` is the address that calendars read, shown only this once. */
export const CreateFeedResponse = z.object({ url: z.string(), feed: CalendarFeed })
export type CreateFeedResponse = z.infer<typeof CreateFeedResponse>

export const FeedRef = z.strictObject({ id: CalendarFeedId })
export type FeedRef = z.infer<typeof FeedRef>
