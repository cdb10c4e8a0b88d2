import { TRPCClientError } from '@trpc/client'
import * as z from 'zod/mini'
import type { ErrorCode, ErrorData } from '#contract/base/errors.ts'
import type { AppRouter } from '#server/app-router.ts'
import { isChunkLoadError } from './late-code.ts'

type TransportCode = 'offline' | 'timeout' | 'outdated' | 'unknown'

/** A failure as shown to the user. */
export type Failure = {
  code: ErrorCode | TransportCode
  sentence: string
  /** Reference to quote to support; null if the sentence says everything. */
  reference: string | null
  /** Messages for single fields, by path ("email"). */
  fields: Record<string, string>
  /** A place to search instead of an unknown one; null if there is none to suggest. */
  near: string | null
  /** Seconds until a retry can succeed, if the server said so. */
  retryAfter: number | null
  /** Work of the robot check that the server asks for. */
  work: number
}

const transport: Record<TransportCode, string> = {
  offline: 'You’re offline. Check your connection and try again. Nothing you typed is lost.',
  timeout: 'This is taking too long. Try again in a moment.',
  outdated: 'This site has been updated. Reload the page to carry on.',
  unknown: 'Something went wrong. Try again in a minute.',
}

const NO_NETWORK = /failed to fetch|networkerror|load failed|network request failed/i

function transportFailure(code: TransportCode): Failure {
  return {
    code,
    sentence: transport[code],
    reference: null,
    fields: {},
    near: null,
    retryAfter: null,
    work: 1,
  }
}

/** The error and its causes, outermost first; stops at a cycle. */
function chain(error: unknown): Error[] {
  const errors: Error[] = []
  let next = error
  while (next instanceof Error && !errors.includes(next)) {
    errors.push(next)
    next = next.cause
  }
  return errors
}

/**
 * `ErrorData` without the list of codes, which is larger than this whole file and would load with the first
 * page. A code newer than the page comes with its sentence as well.
 */
const Refusal = z.object({
  appCode: z.string(),
  details: z.record(z.string(), z.union([z.string(), z.number()])),
  issues: z.array(z.object({ path: z.string(), message: z.string() })),
  requestId: z.string(),
})

function serverRefusal(error: unknown): (ErrorData & { sentence: string }) | null {
  if (!(error instanceof Error && 'data' in error)) return null
  const parsed = Refusal.safeParse(error.data)
  // The message of a server error is the sentence for its code.
  if (!parsed.success) return null
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above
  const appCode = parsed.data.appCode as ErrorCode
  return { ...parsed.data, appCode, sentence: error.message }
}

/** Server faults: only these are looked up in the log, so only these carry a reference. */
const SERVER_FAULTS = new Set<ErrorCode>(['internal', 'busy', 'upstream_unavailable'])

function secondsIn({ details }: ErrorData): number | null {
  const seconds = Number(details['retryAfterSeconds'])
  return Number.isNaN(seconds) ? null : seconds
}

/** Converts anything thrown into a sentence that says what went wrong and what to do. */
export function describeFailure(error: unknown): Failure {
  const data = serverRefusal(error)
  if (data !== null) {
    return {
      code: data.appCode,
      sentence: data.sentence,
      reference: SERVER_FAULTS.has(data.appCode) ? data.requestId : null,
      fields: Object.fromEntries(data.issues.map((issue) => [issue.path, issue.message])),
      near: typeof data.details['near'] === 'string' ? data.details['near'] : null,
      retryAfter: secondsIn(data),
      work: Number(data.details['work'] ?? 1),
    }
  }
  const errors = chain(error)
  if (errors.some((one) => one.name === 'TimeoutError')) return transportFailure('timeout')
  if (!navigator.onLine) return transportFailure('offline')
  if (errors.some(isChunkLoadError)) return transportFailure('outdated')
  if (errors.some((one) => NO_NETWORK.test(one.message))) return transportFailure('offline')
  return transportFailure('unknown')
}

const TRANSIENT = new Set<Failure['code']>(['timeout', 'busy', 'upstream_unavailable'])

/** For TanStack Query's `retry`: two more tries, where asking again at once may help. */
export function retryTransient(failures: number, error: unknown): boolean {
  return failures < 2 && TRANSIENT.has(describeFailure(error).code)
}

/** Whether a call failed: refused by the server, or without a response. */
export function isFailedCall(error: unknown): error is TRPCClientError<AppRouter> {
  return error instanceof TRPCClientError
}

/** HTTP statuses of refusals that stay: it does not exist, or is no longer possible. */
const FINAL_STATUSES = new Set([404, 409])

/** Whether asking again would get the same refusal, such as that a visit has been cancelled. */
export function isFinalRefusal(error: unknown): boolean {
  return isFailedCall(error) && FINAL_STATUSES.has(error.data?.httpStatus ?? 0)
}

/**
 * For React's `onCaughtError`: failed requests are shown on the page; anything else is a bug and is logged.
 */
export function reportCaught(error: unknown): void {
  // oxlint-disable-next-line no-console -- React's default
  if (!isFailedCall(error)) console.error(error)
}
