import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Services } from '#server/context.ts'
import { recheckStandings } from '#server/verification/register/recheck-standings.ts'

/** The nightly check of Verified providers: requests are answered between its batches. */
export async function recheckNightly(services: Services, signal?: AbortSignal): Promise<void> {
  await recheckStandings(services, async () => {
    await nextTurn()
    return signal?.aborted !== true
  })
}
