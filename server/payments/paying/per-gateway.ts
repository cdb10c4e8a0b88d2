import { Gate } from '#server/kernel/limits/semaphore.ts'
import type { GatewayName } from '#server/payments/store.ts'

/** Each has jobs of its own, so that one that hangs delays nothing of the other. */
export const GATEWAYS: readonly GatewayName[] = ['stripe', 'paypal']

/** Rows of one gateway that are worked on at once. */
const AT_ONCE = 8

/** After this long a run begins nothing new: the next one starts from what is due by then. */
const RUN_MS = 30_000

/** What one run is about: the rows of one gateway, or of both where none is named. */
export type Run = { gateway?: GatewayName; signal?: AbortSignal }

/** The signal that tells a run to begin nothing new: the process stops, or the run has taken its time. */
export function untilTimeIsUp(signal: AbortSignal | undefined): AbortSignal {
  const timeIsUp = AbortSignal.timeout(RUN_MS)
  return signal === undefined ? timeIsUp : AbortSignal.any([signal, timeIsUp])
}

/** Does the work of a run, at both gateways at the same time where it names none. */
export async function perGateway(
  { gateway, signal }: Run,
  work: (gateway: GatewayName, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const limited = untilTimeIsUp(signal)
  const gateways = gateway === undefined ? GATEWAYS : [gateway]
  await Promise.all(gateways.map((one) => work(one, limited)))
}

/**
 * Works on rows in their order, several at once, and begins no more of them when `signal` says stop or
 * one throws; then that error is thrown once all that were begun have ended. How many were begun.
 */
export async function workThrough<Row>(
  rows: readonly Row[],
  { signal, atOnce = AT_ONCE }: { signal: AbortSignal; atOnce?: number },
  work: (row: Row) => Promise<void>,
): Promise<number> {
  const gate = new Gate({ running: atOnce, waiting: rows.length })
  const failures: unknown[] = []
  let begun = 0
  const workOn = async (row: Row) => {
    if (signal.aborted || failures.length > 0) return
    begun += 1
    try {
      await work(row)
    } catch (error) {
      failures.push(error)
    }
  }
  await Promise.all(rows.map((row) => gate.pass(() => workOn(row))))
  if (failures.length > 0) throw failures[0]
  return begun
}
