import * as z from 'zod/mini'
import { Homepage } from '#contract/gallery.ts'
import { publicProcedure, router } from '#server/trpc.ts'
import { getHomepage } from './store.ts'

export const galleryRouter = router({
  homepage: publicProcedure
    .input(z.optional(z.strictObject({})))
    .output(Homepage)
    .query(({ ctx }) => getHomepage(ctx.database.db)),
})
