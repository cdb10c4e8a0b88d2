import { Done } from '#contract/base/done.ts'
import { EmptyInput } from '#contract/base/empty-input.ts'
import { CalendarFeeds, CreateFeedInput, CreateFeedResponse, FeedRef } from '#contract/calendars.ts'
import { patientOrProviderProcedure, router } from '#server/trpc.ts'
import { createFeed, readFeeds, revokeFeed } from './feeds.ts'

export const calendarsRouter = router({
  create: patientOrProviderProcedure
    .meta({ stepUp: 'always' })
    .input(CreateFeedInput)
    .output(CreateFeedResponse)
    .mutation(({ ctx, input }) => createFeed(ctx, input)),
  list: patientOrProviderProcedure
    .meta({ scope: 'visits:read' })
    .input(EmptyInput)
    .output(CalendarFeeds)
    .query(({ ctx }) => readFeeds(ctx)),
  revoke: patientOrProviderProcedure
    .meta({ scope: 'visits:write' })
    .input(FeedRef)
    .output(Done)
    .mutation(({ ctx, input }) => revokeFeed(ctx, input)),
})
