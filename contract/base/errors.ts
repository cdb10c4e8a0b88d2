import * as z from 'zod/mini'
import type { errorTable } from '#contract/errors/every-error.ts'

/** The code of a failure a caller can act on; declared in `contract/errors` with its status and sentence. */
export type ErrorCode = keyof typeof errorTable

/** Any text in its place: a page may be older than the server, so that it does not know every code. */
export const ErrorCode = z.custom<ErrorCode>((value) => typeof value === 'string')

/** One thing wrong with one field of the input. */
export const FieldIssue = z.object({ path: z.string(), message: z.string() })
export type FieldIssue = z.infer<typeof FieldIssue>

/** What every failed procedure carries under `error.data`. */
export const ErrorData = z.object({
  appCode: ErrorCode,
  details: z.record(z.string(), z.union([z.string(), z.number()])),
  issues: z.array(FieldIssue),
  requestId: z.string(),
})
export type ErrorData = z.infer<typeof ErrorData>
