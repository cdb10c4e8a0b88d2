import { FreeTimes, FreeTimesInput } from '#contract/availability.ts'
import { publicProcedure, router } from '#server/trpc.ts'
import { freeTimes } from './free-times.ts'

export const availabilityRouter = router({
  freeTimes: publicProcedure
    .input(FreeTimesInput)
    .output(FreeTimes)
    .query(({ ctx, input }) => freeTimes(ctx, input)),
})
