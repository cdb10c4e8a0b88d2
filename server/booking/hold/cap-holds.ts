import { DAY_MS } from '#contract/time.ts'
import {
  assertMayComeMore,
  assertWithinCap,
  MAX_UNPAID_HOLDS,
  type UnpaidCap,
} from '#server/booking/rules.ts'
import type { Context, SignedIn, Tx } from '#server/context.ts'
import { siteOf } from '#server/kernel/limits/network.ts'
import { hasEverPaid, listComing, listNewcomerHolds, listUnpaid } from './hold-store.ts'
import { takeTurns } from './slot-store.ts'

/**
 * Refuses one more hold with `too_many_unpaid_holds` where too many are not paid for, and says what the
 * hold has to carry so that it counts: the keyed network it comes from, or null for somebody who has
 * paid for a visit before. The caller has counted a `hold` of the viewer, which makes their requests wait
 * for each other; requests from one network and for one provider wait for each other here.
 */
export async function capHolds(ctx: SignedIn, tx: Tx, providerNo: number): Promise<string | null> {
  await capOfPatient(ctx, tx)
  if (await hasEverPaid(tx.db, ctx.session.accountNo)) return null
  return capNewcomer(ctx, tx, providerNo)
}

function capAt(name: UnpaidCap, now: number) {
  return { name, now, max: MAX_UNPAID_HOLDS[name] }
}

/** Refuses a patient who has held as many times today without paying as anybody may. */
export async function capOfPatient(ctx: SignedIn, tx: Tx): Promise<void> {
  const now = ctx.now()
  const of = { patientNo: ctx.session.accountNo, since: now - DAY_MS }
  const unpaid = await listUnpaid(tx.db, of)
  assertWithinCap(
    capAt('patient', now),
    unpaid.map(({ created_at: at }) => at + DAY_MS),
  )
}

/**
 * Refuses a patient who has as many upcoming visits as anybody may, in all or with this provider. The
 * caller has counted a `hold` of the viewer, so that of many at once each sees those before it.
 */
export async function capOfComing(ctx: SignedIn, tx: Tx, providerNo: number): Promise<void> {
  const of = { patientNo: ctx.session.accountNo, now: ctx.now() }
  assertMayComeMore(await listComing(tx.db, of), providerNo)
}

/** What a hold of somebody who has never paid carries: its network, keyed. */
export function networkKey({ network, secrets }: Pick<Context, 'network' | 'secrets'>): string {
  return secrets.mac('network', siteOf(network))
}

/**
 * Refuses one more hold of people who have never paid, from one network or of one provider. Returns
 * the `networkKey` the hold has to carry.
 */
export async function capNewcomer(ctx: Context, tx: Tx, providerNo: number): Promise<string> {
  const now = ctx.now()
  const network = siteOf(ctx.network)
  const heldFrom = networkKey(ctx)
  await tx.attempts.take('hold_network', network)
  const ofNetwork = await listNewcomerHolds(tx.db, { now, heldFrom })
  assertWithinCap(
    capAt('network', now),
    ofNetwork.map(({ hold_until: at }) => at),
  )
  await takeTurns(tx.db, providerNo)
  const ofProvider = await listNewcomerHolds(tx.db, { now, providerNo })
  assertWithinCap(
    capAt('provider', now),
    ofProvider.map(({ hold_until: at }) => at),
  )
  return heldFrom
}
