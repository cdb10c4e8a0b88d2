import { randomUUID } from 'node:crypto'
import { RefundInput } from '#contract/payments.ts'
import { holdSlot } from '#server/booking/hold/hold-slot.ts'
import { renewHold } from '#server/booking/hold/holds.ts'
import { type AsStaff, makeContext, type Services, type SignedIn } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { capture, readReturn, readStatus } from '#server/payments/paying/capture.ts'
import { leave } from '#server/payments/paying/close-payment.ts'
import { startCard, startWallet } from '#server/payments/paying/start-payment.ts'
import { refund } from '#server/payments/refunds/refund.ts'
import { listRefundsOf } from '#server/payments/refunds/refund-store.ts'
import { refundableOf } from '#server/payments/rules.ts'
import { cancelVisit, readTerms } from '#server/visits/cancel-visit.ts'
import { moveVisit } from '#server/visits/move-visit.ts'
import { type AccountRef, signedInAs } from '#tests/harness/accounts.ts'
import { verifyCode } from '#tests/harness/visits.ts'
import type { Dice } from './crashes.ts'

/** Counts of events by name. */
export type Tally = Record<string, number>

export type OfferedSlot = { providerId: string; startsAt: string }

export type UserActionsOptions = {
  services: Services
  dice: Dice
  tally: Tally
  patients: readonly AccountRef[]
  /** What providers offer, in any order. */
  offers: readonly OfferedSlot[]
  /** Whether the wallet's owner has approved an order on the wallet's own page. */
  isApproved(order: string): Promise<boolean> | boolean
}

const PURPOSE = 'A cough that will not go away'
const MINUTE = 60_000
/** How many of the latest checkouts may still be open in a browser, including long-expired ones. */
const MAX_RECENT = 24

export function count(tally: Tally, what: string): void {
  tally[what] = (tally[what] ?? 0) + 1
}

function superuser(services: Services): AsStaff {
  const viewer = { kind: 'staff', id: 'usr_of_the_storm', role: 'superuser' } as const
  const asking = { viewer, requestId: 'TEST', network: '192.0.2.9' }
  return { ...makeContext(services, asking), viewer }
}

/** Random actions of patients and staff on our site. Each may be refused or end in a crash. */
export class UserActions {
  readonly #people: UserActionsOptions

  constructor(people: UserActionsOptions) {
    this.#people = people
  }

  #as(who: AccountRef): SignedIn {
    return signedInAs(this.#people.services, who)
  }

  /** One of the latest bookings with its patient, and the payments opened for it. */
  async #checkout() {
    const { services, dice } = this.#people
    const { db } = services.database
    const latest = await db
      .selectFrom('bookings as b')
      .innerJoin('accounts as a', 'a.no', 'b.patient_no')
      .select(['b.no', 'b.id', 'b.first_minor', 'b.follow_minor', 'b.currency'])
      .select(['a.no as patient_no', 'a.id as patient_id'])
      .orderBy('b.no', 'desc')
      .limit(MAX_RECENT)
      .execute()
    if (latest.length === 0) return null
    const booking = dice.pick(latest)
    const opened = await db
      .selectFrom('payments')
      .select(['gateway', 'gw_session'])
      .where('booking_no', '=', booking.no)
      .where('gw_session', 'is not', null)
      .orderBy('no', 'desc')
      .execute()
    const named = (gateway: string) => opened.find((one) => one.gateway === gateway)?.gw_session
    return {
      ...booking,
      ctx: this.#as({ no: booking.patient_no, id: booking.patient_id }),
      session: named('stripe') ?? null,
      order: named('paypal') ?? null,
    }
  }

  /** Half of the visits begin within the hour. */
  #offer(): OfferedSlot {
    const { services, dice, offers } = this.#people
    if (dice.next() < 0.5) return dice.pick(offers)
    const now = services.now()
    const soon = offers.filter(({ startsAt }) => {
      const left = Date.parse(startsAt) - now
      return left > 5 * MINUTE && left < 60 * MINUTE
    })
    return dice.pick(soon.length === 0 ? offers : soon)
  }

  async hold(): Promise<void> {
    const { dice, patients, tally } = this.#people
    const ctx = this.#as(dice.pick(patients))
    try {
      const hold = await holdSlot(ctx, this.#offer())
      await verifyCode(ctx, hold.id)
      count(tally, 'holds')
    } catch (error) {
      if (error instanceof AppError) count(tally, 'holds refused')
      throw error
    }
  }

  async press(gateway: 'stripe' | 'paypal'): Promise<void> {
    const { dice, tally } = this.#people
    const checkout = await this.#checkout()
    if (checkout === null) return
    const typeOfVisit = dice.pick(['first_visit', 'follow_up'] as const)
    const minor = typeOfVisit === 'follow_up' ? checkout.follow_minor : checkout.first_minor
    const input = {
      holdId: checkout.id,
      typeOfVisit,
      purposeForVisit: PURPOSE,
      shown: { minor, currency: checkout.currency },
    }
    await (gateway === 'stripe' ? startCard : startWallet)(checkout.ctx, input)
    count(tally, `${gateway} begun`)
  }

  /** Requests the capture, as our page does once the wallet reports an approval. */
  async capture(): Promise<void> {
    const { services, dice, tally } = this.#people
    const waiting = await services.database.db
      .selectFrom('payments as p')
      .innerJoin('accounts as a', 'a.no', 'p.patient_no')
      .select(['p.gw_session', 'a.no', 'a.id'])
      .where('p.gateway', '=', 'paypal')
      .where('p.gw_session', 'is not', null)
      .orderBy('p.no', 'desc')
      .limit(MAX_RECENT)
      .execute()
    for (const { gw_session: orderId, ...who } of waiting) {
      if (orderId === null || dice.next() < 0.3) continue
      if (!(await this.#people.isApproved(orderId))) continue
      count(tally, 'wallets captured')
      await capture(this.#as(who), { orderId })
      return
    }
  }

  async look(): Promise<void> {
    const checkout = await this.#checkout()
    if (checkout === null) return
    const { ctx, order, session } = checkout
    if (order !== null) await readStatus(ctx, { orderId: order })
    if (session !== null) await readReturn(ctx, { session_id: session })
  }

  async leaveOrRenew(): Promise<void> {
    const checkout = await this.#checkout()
    if (checkout === null) return
    const { ctx, id: holdId } = checkout
    if (this.#people.dice.next() < 0.5) await renewHold(ctx, { holdId })
    else await leave(ctx, { holdId })
  }

  /** Patients move paid visits to any time of the same provider, taken or not. */
  async move(): Promise<void> {
    const { services, dice, tally, offers } = this.#people
    const visits = await services.database.db
      .selectFrom('bookings as b')
      .innerJoin('accounts as a', 'a.no', 'b.patient_no')
      .innerJoin('providers as p', 'p.no', 'b.provider_no')
      .select(['b.id as visit', 'b.sequence', 'b.start_at', 'p.id as provider', 'a.no', 'a.id'])
      .where('b.state', '=', 'confirmed')
      .where('b.start_at', '>', services.now())
      .orderBy('b.no', 'desc')
      .limit(MAX_RECENT)
      .execute()
    if (visits.length === 0) return
    const { visit: id, sequence, start_at: start, provider, ...who } = dice.pick(visits)
    const theirs = offers.filter(({ providerId }) => providerId === provider)
    // Half choose a time close to their own, which overlaps it.
    const near = theirs.filter(
      ({ startsAt }) => Math.abs(Date.parse(startsAt) - start) < 90 * MINUTE,
    )
    const { startsAt } = dice.pick(dice.next() < 0.5 && near.length > 0 ? near : theirs)
    try {
      await moveVisit(this.#as(who), { id, sequence, slot: { startsAt }, overlapOk: true })
      count(tally, 'moved')
    } catch (error) {
      if (error instanceof AppError) count(tally, 'moves refused')
      throw error
    }
  }

  /** Patients cancel paid visits: some in time, some late, some with an outdated page. */
  async cancel(): Promise<void> {
    const { services, dice, tally } = this.#people
    const visits = await services.database.db
      .selectFrom('bookings as b')
      .innerJoin('accounts as a', 'a.no', 'b.patient_no')
      .select(['b.id as visit', 'a.no', 'a.id'])
      .where('b.state', '=', 'confirmed')
      .orderBy('b.no', 'desc')
      .limit(MAX_RECENT)
      .execute()
    if (visits.length === 0) return
    const { visit: id, ...who } = dice.pick(visits)
    const ctx = this.#as(who)
    const { sequence, refund: shown } = await readTerms(ctx, { id })
    // Sometimes the page is outdated by the time the patient confirms.
    if (dice.next() < 0.3) await this.refund()
    const { refund: back } = await cancelVisit(ctx, { id, sequence, refund: shown })
    count(tally, back.minor === 0 ? 'cancelled for nothing' : 'cancelled')
  }

  /** Somebody books the time of a cancelled visit, and pays at once with `pay`. */
  async takeAgain(pay: (session: string) => void): Promise<void> {
    const { services, dice, tally, patients } = this.#people
    const { db } = services.database
    const gone = await db
      .selectFrom('bookings as b')
      .innerJoin('providers as p', 'p.no', 'b.provider_no')
      .select(['b.start_at', 'p.id'])
      .where('b.state', '=', 'cancelled')
      .where('b.start_at', '>', services.now() + 10 * MINUTE)
      .orderBy('b.no', 'desc')
      .limit(MAX_RECENT)
      .execute()
    if (gone.length === 0) return
    const { start_at: start, id: providerId } = dice.pick(gone)
    const ctx = this.#as(dice.pick(patients))
    const hold = await holdSlot(ctx, { providerId, startsAt: new Date(start).toISOString() })
    await verifyCode(ctx, hold.id)
    await startCard(ctx, {
      holdId: hold.id,
      typeOfVisit: 'first_visit',
      purposeForVisit: PURPOSE,
      shown: hold.fees.first_visit,
    })
    const { gw_session: session } = await db
      .selectFrom('payments as y')
      .innerJoin('bookings as b', 'b.no', 'y.booking_no')
      .select('y.gw_session')
      .where('b.id', '=', hold.id)
      .orderBy('y.no', 'desc')
      .executeTakeFirstOrThrow()
    if (session === null) return
    pay(session)
    await readReturn(ctx, { session_id: session })
    count(tally, 'times taken again')
  }

  /** Staff refund a part or the rest, and sometimes cancel the visit. */
  async refund(): Promise<void> {
    const { services, dice, tally } = this.#people
    const { db } = services.database
    const paid = await db
      .selectFrom('payments')
      .selectAll()
      .where('state', '=', 'paid')
      .orderBy('no', 'desc')
      .limit(MAX_RECENT)
      .execute()
    if (paid.length === 0) return
    const payment = dice.pick(paid)
    const left = refundableOf(payment, await listRefundsOf(db, payment.no))
    if (left === 0) return
    const isWhole = dice.next() < 0.4
    const input = {
      paymentId: payment.id,
      minor: isWhole ? left : 1 + dice.below(left),
      reason: 'The practice was closed that day.',
      key: randomUUID(),
      releaseTime: isWhole && dice.next() < 0.5,
    }
    await refund(superuser(services), RefundInput.parse(input))
    count(tally, 'refunds by staff')
  }
}
