import { TRPCClientError } from '@trpc/client'
import * as z from 'zod/mini'
import type { ErrorCode, ErrorData } from '#contract/errors.ts'
import { isLostCode } from './lost-code.ts'

type TransportCode = 'offline' | 'timeout' | 'outdated' | 'unknown'

/** A failure in the words of the page. */
export type Failure = {
  code: ErrorCode | TransportCode
  sentence: string
  /** Quoted to support; null when the sentence already says all there is to know. */
  reference: string | null
  /** Messages for single fields, by path ("email"). */
  fields: Record<string, string>
  /** A place to search instead of one that is not known; null when there is none to offer. */
  near: string | null
  /** Seconds until trying again can help, where the server said so. */
  retryAfter: number | null
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
  }
}

/** The error and what caused it, outermost first; a cycle ends the walk. */
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
 * `ErrorData` without the list of codes, which weighs more than all this and would come with the
 * first page; a code that is newer than the page has its sentence as well.
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
  // The server's message is its sentence for the code.
  if (!parsed.success) return null
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above
  const appCode = parsed.data.appCode as ErrorCode
  return { ...parsed.data, appCode, sentence: error.message }
}

/** Faults of ours: only these are looked up in the log, so that only these carry a reference. */
const OUR_FAULT = new Set<ErrorCode>(['internal', 'busy', 'upstream_unavailable'])

function secondsIn({ details }: ErrorData): number | null {
  const seconds = Number(details['retryAfterSeconds'])
  return Number.isNaN(seconds) ? null : seconds
}

/** Says what went wrong and what to do, from anything that was thrown. */
export function describeFailure(error: unknown): Failure {
  const data = serverRefusal(error)
  if (data !== null) {
    return {
      code: data.appCode,
      sentence: data.sentence,
      reference: OUR_FAULT.has(data.appCode) ? data.requestId : null,
      fields: Object.fromEntries(data.issues.map((issue) => [issue.path, issue.message])),
      near: typeof data.details['near'] === 'string' ? data.details['near'] : null,
      retryAfter: secondsIn(data),
    }
  }
  const errors = chain(error)
  if (errors.some((one) => one.name === 'TimeoutError')) return transportFailure('timeout')
  if (!navigator.onLine) return transportFailure('offline')
  if (errors.some(isLostCode)) return transportFailure('outdated')
  if (errors.some((one) => NO_NETWORK.test(one.message))) return transportFailure('offline')
  return transportFailure('unknown')
}

const TRANSIENT = new Set<Failure['code']>(['timeout', 'busy', 'upstream_unavailable'])

/** Whether asking again at once may help. */
export function isTransient(error: unknown): boolean {
  return TRANSIENT.has(describeFailure(error).code)
}

/** For React's `onCaughtError`: a call that failed is said on the page, anything else is a defect. */
export function reportCaught(error: unknown): void {
  // oxlint-disable-next-line no-console -- what React does by itself
  if (!(error instanceof TRPCClientError)) console.error(error)
}
