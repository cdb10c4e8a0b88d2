import * as z from 'zod/mini'

/** Success, with nothing to return. */
export const Done = z.object({ status: z.literal(true) })
export type Done = z.infer<typeof Done>
