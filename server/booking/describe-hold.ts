import type { DescribeInput, Hold } from '#contract/booking.ts'
import type { SignedIn, Tx } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { readHold } from './read-hold.ts'
import { followUpBasis, whyNotKept } from './rules.ts'
import { type Choices, findOwn, hasLivePayment, hasVisited, updateChoices } from './store.ts'

type Booking = NonNullable<Awaited<ReturnType<typeof findOwn>>>

/** Why the follow-up fee is granted, or `follow_up_refused`; null for a first visit. */
export async function grantType(
  tx: Tx,
  booking: Booking,
  wanted: { type: Booking['visit_type']; now: number },
): Promise<Booking['follow_up_basis']> {
  if (wanted.type === 'first_visit') return null
  const who = { patientNo: booking.patient_no, providerNo: booking.provider_no }
  const hasBeenHere = await hasVisited(tx.db, who, wanted.now)
  const basis = followUpBasis(booking.follow_up_policy, hasBeenHere)
  if (basis === null) throw new AppError('follow_up_refused')
  return basis
}

async function choicesOf(ctx: SignedIn, tx: Tx, given: { booking: Booking; input: DescribeInput }) {
  const { booking, input } = given
  const { typeOfVisit: type, paymentMethod: method, purposeForVisit: purpose } = input
  const changesPrice =
    (type ?? booking.visit_type) !== booking.visit_type ||
    (method ?? booking.payment_method) !== booking.payment_method
  // The payment under way was agreed on other terms: it has to be left first.
  if (changesPrice && (await hasLivePayment(tx.db, booking.no))) throw new AppError('payment_busy')
  const choices: Choices = {}
  if (type !== undefined) {
    choices.visit_type = type
    choices.follow_up_basis = await grantType(tx, booking, { type, now: ctx.now() })
  }
  if (method !== undefined) choices.payment_method = method
  if (purpose !== undefined) choices.purpose = purpose
  return choices
}

/** Keeps what the checkout was told, so that a reload or another tab loses nothing. */
export async function describeHold(ctx: SignedIn, input: DescribeInput): Promise<Hold> {
  const { holdId } = input
  await ctx.transaction(async (tx) => {
    const now = ctx.now()
    const booking = await findOwn(tx.db, holdId, ctx.session.accountNo)
    if (booking === undefined) throw new AppError('not_found')
    const refusal = whyNotKept(booking, now)
    if (refusal !== null) throw new AppError(refusal)
    const choices = await choicesOf(ctx, tx, { booking, input })
    if (Object.keys(choices).length === 0) return
    const isWritten = await updateChoices(tx.db, booking.no, { choices, now })
    if (!isWritten) throw new AppError('hold_expired')
    // Which things were told, never what: the purpose of a visit is nobody else's business.
    await tx.audit.add({
      action: 'booking.described',
      entity: holdId,
      details: { fields: Object.keys(choices).join(' ') },
    })
  })
  return readHold(ctx, { holdId })
}
