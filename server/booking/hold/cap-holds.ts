import { DAY_MS } from '#contract/time.ts'
import { assertWithinCap, MAX_UNPAID_HOLDS, type UnpaidCap } from '#server/booking/rules.ts'
import type { SignedIn, Tx } from '#server/context.ts'
import { siteOf } from '#server/kernel/limits/network.ts'
import { hasEverPaid, listNewcomerHolds, listUnpaid } from './cap-store.ts'
import { takeTurns } from './slot-store.ts'

/**
 * Refuses one more hold with `too_many_unpaid_holds` where too many are not paid for, and says what the
 * hold has to carry so that it counts: the keyed network it comes from, or null for somebody who has
 * paid for a visit before. The caller has counted a `hold` of the viewer, which makes their requests wait
 * for each other; requests from one network and for one provider wait for each other here.
 */
export async function capHolds(ctx: SignedIn, tx: Tx, providerNo: number): Promise<string | null> {
  const now = ctx.now()
  const { accountNo: patientNo } = ctx.session
  const cap = (name: UnpaidCap) => ({ name, now, max: MAX_UNPAID_HOLDS[name] })
  const unpaid = await listUnpaid(tx.db, { patientNo, since: now - DAY_MS })
  assertWithinCap(
    cap('patient'),
    unpaid.map(({ created_at: at }) => at + DAY_MS),
  )
  if (await hasEverPaid(tx.db, patientNo)) return null
  const network = siteOf(ctx.network)
  const heldFrom = ctx.secrets.mac('network', network)
  await tx.attempts.take('hold_network', network)
  const ofNetwork = await listNewcomerHolds(tx.db, { now, heldFrom })
  assertWithinCap(
    cap('network'),
    ofNetwork.map(({ hold_until: at }) => at),
  )
  await takeTurns(tx.db, providerNo)
  const ofProvider = await listNewcomerHolds(tx.db, { now, providerNo })
  assertWithinCap(
    cap('provider'),
    ofProvider.map(({ hold_until: at }) => at),
  )
  return heldFrom
}
