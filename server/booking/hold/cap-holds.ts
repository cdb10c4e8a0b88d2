import { DAY_MS } from '#contract/time.ts'
import {
  assertUpcomingLimits,
  assertWithinCap,
  MAX_UNPAID_HOLDS,
  type UnpaidCap,
} from '#server/booking/rules.ts'
import type { Context, SignedIn, Tx } from '#server/context.ts'
import { siteOf } from '#server/kernel/limits/network.ts'
import { hasEverPaid, listNewcomerHolds, listUnpaid, listUpcoming } from './hold-store.ts'
import { lockProviderClaims } from './slot-store.ts'

/**
 * Throws `too_many_unpaid_holds` when a cap on unpaid holds is reached. Returns the `held_from` of the new
 * hold: its keyed network, or null for a patient who has paid for a visit before. The caller has counted a
 * `hold` of the viewer, which serializes their requests; requests from one network and for one provider are
 * serialized here.
 */
export async function capHolds(ctx: SignedIn, tx: Tx, providerNo: number): Promise<string | null> {
  await assertPatientCap(ctx, tx)
  if (await hasEverPaid(tx.db, ctx.session.accountNo)) return null
  return assertNewcomerCaps(ctx, tx, providerNo)
}

function capFor(name: UnpaidCap, now: number) {
  return { name, now, max: MAX_UNPAID_HOLDS[name] }
}

/** Refuses a patient who has reached the daily cap on unpaid holds. */
export async function assertPatientCap(ctx: SignedIn, tx: Tx): Promise<void> {
  const now = ctx.now()
  const of = { patientNo: ctx.session.accountNo, since: now - DAY_MS }
  const unpaid = await listUnpaid(tx.db, of)
  assertWithinCap(
    capFor('patient', now),
    unpaid.map(({ created_at: at }) => at + DAY_MS),
  )
}

/**
 * Refuses a patient who has reached the cap on upcoming visits, in all or with this provider. The caller has
 * counted a `hold` of the viewer, so concurrent requests see each other's.
 */
export async function assertUpcomingCap(ctx: SignedIn, tx: Tx, providerNo: number): Promise<void> {
  const of = { patientNo: ctx.session.accountNo, now: ctx.now() }
  assertUpcomingLimits(await listUpcoming(tx.db, of), providerNo)
}

/** Keyed hash of the network, stored with holds of people who have never paid. */
export function networkKey({ network, secrets }: Pick<Context, 'network' | 'secrets'>): string {
  return secrets.mac('network', siteOf(network))
}

/**
 * Caps holds of people who have never paid, by network and by provider. Returns the `networkKey` to store
 * with the hold.
 */
export async function assertNewcomerCaps(
  ctx: Context,
  tx: Tx,
  providerNo: number,
): Promise<string> {
  const now = ctx.now()
  const network = siteOf(ctx.network)
  const heldFrom = networkKey(ctx)
  await tx.attempts.take('hold_network', network)
  const ofNetwork = await listNewcomerHolds(tx.db, { now, heldFrom })
  assertWithinCap(
    capFor('network', now),
    ofNetwork.map(({ hold_until: at }) => at),
  )
  await lockProviderClaims(tx.db, providerNo)
  const ofProvider = await listNewcomerHolds(tx.db, { now, providerNo })
  assertWithinCap(
    capFor('provider', now),
    ofProvider.map(({ hold_until: at }) => at),
  )
  return heldFrom
}
