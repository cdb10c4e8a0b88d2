import * as z from 'zod/mini'

/** Input of procedures that take none. */
export const EmptyInput = z.optional(z.strictObject({}))
