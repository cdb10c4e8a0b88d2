import { Semaphore } from '#server/kernel/limits/semaphore.ts'
import type { GatewayName } from '#server/payments/store.ts'

/** Each gateway has its own jobs, so that one that hangs does not delay the other. */
export const GATEWAYS: readonly GatewayName[] = ['stripe', 'paypal']

/** Concurrency per gateway. */
const CONCURRENCY = 8

/** Time limit for starting new work in a run; the next run starts over from what is due. */
const RUN_MS = 30_000

/** Options of a run: the gateway, or both if omitted. */
export type Run = { gateway?: GatewayName; signal?: AbortSignal }

/** Aborts when the process stops or the run's time is up: nothing new is started then. */
export function withRunTimeout(signal: AbortSignal | undefined): AbortSignal {
  const timeIsUp = AbortSignal.timeout(RUN_MS)
  return signal === undefined ? timeIsUp : AbortSignal.any([signal, timeIsUp])
}

/** Runs `work` for the given gateway, or for both in parallel. */
export async function perGateway(
  { gateway, signal }: Run,
  work: (gateway: GatewayName, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const limited = withRunTimeout(signal)
  const gateways = gateway === undefined ? GATEWAYS : [gateway]
  await Promise.all(gateways.map((one) => work(one, limited)))
}

/**
 * Processes rows in order, several at a time, and starts no more once `signal` aborts or one throws; that
 * error is thrown after all started rows have finished. Returns how many were started.
 */
export async function processRows<Row>(
  rows: readonly Row[],
  { signal, atOnce = CONCURRENCY }: { signal: AbortSignal; atOnce?: number },
  work: (row: Row) => Promise<void>,
): Promise<number> {
  const semaphore = new Semaphore({ running: atOnce, waiting: rows.length })
  const failures: unknown[] = []
  let startedCount = 0
  const workOn = async (row: Row) => {
    if (signal.aborted || failures.length > 0) return
    startedCount += 1
    try {
      await work(row)
    } catch (error) {
      failures.push(error)
    }
  }
  await Promise.all(rows.map((row) => semaphore.pass(() => workOn(row))))
  if (failures.length > 0) throw failures[0]
  return startedCount
}
