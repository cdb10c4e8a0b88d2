import { Done, EmptyInput } from '#contract/auth.ts'
import { CalendarFeeds, CreateFeedInput, CreateFeedResponse, FeedRef } from '#contract/calendars.ts'
import { router, sessionProcedure } from '#server/trpc.ts'
import { createFeed, readFeeds, revokeFeed } from './feeds.ts'

export const calendarsRouter = router({
  create: sessionProcedure
    .input(CreateFeedInput)
    .output(CreateFeedResponse)
    .mutation(({ ctx, input }) => createFeed(ctx, input)),
  list: sessionProcedure
    .input(EmptyInput)
    .output(CalendarFeeds)
    .query(({ ctx }) => readFeeds(ctx)),
  revoke: sessionProcedure
    .input(FeedRef)
    .output(Done)
    .mutation(({ ctx, input }) => revokeFeed(ctx, input)),
})
