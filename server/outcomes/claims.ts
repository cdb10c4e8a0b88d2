import type { Done } from '#contract/base/done.ts'
import { AppointmentId, OutcomeClaimId } from '#contract/base/ids.ts'
import { shownName } from '#contract/base/person-names.ts'
import { toIso } from '#contract/base/time.ts'
import type { VisitRef } from '#contract/booking.ts'
import { claimLife } from '#contract/life-cycles/claim.ts'
import {
  ANSWER_WITHIN_MS,
  type AnswerClaimInput,
  type ClaimCount,
  type ContestInput,
  DECIDE_WITHIN_MS,
  type DecideClaimInput,
  type OutcomeClaim,
  type PatientOutcome,
  type ProviderClaim,
  type ProviderClaimResponse,
} from '#contract/outcomes.ts'
import { contestUntil } from '#server/booking/outcome-rules.ts'
import { readVisit } from '#server/booking/visits/read-visit.ts'
import {
  type AsProvider,
  type AsStaff,
  type Context,
  lockOwnAccount,
  type Services,
  type SignedIn,
} from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { lockMoney, readMoney } from '#server/payments/refunds/refund.ts'
import { ownProvider } from '#server/profiles/own-profile.ts'
import {
  blankAnswersOf,
  blankClaimsOf,
  type ClaimRow,
  closeClaim,
  countOpenClaims,
  findClaim,
  findOpenClaim,
  insertClaim,
  listOpenClaims,
  setAnswer,
} from './claims-store.ts'
import { writeStaffMark } from './outcomes.ts'
import { findBooked, listJoins, lockBooking } from './store.ts'

/**
 * The viewer, a patient, contests a no-show, once per visit and within seven days. The provider is emailed,
 * and staff decide. Throws `contest_impossible` when there is nothing to contest any more.
 */
export async function contest(ctx: SignedIn, input: ContestInput): Promise<PatientOutcome> {
  const { accountNo } = ctx.session
  await ctx.transaction(async (tx) => {
    await lockOwnAccount(ctx, tx)
    const found = await findBooked(tx.db, input.id, { patientNo: accountNo })
    if (found === undefined) throw new AppError('not_found')
    const visit = await lockBooking(tx.db, found.no)
    const until = contestUntil(visit)
    if (until === null || ctx.now() >= until) throw new AppError('contest_impossible')
    const id = ctx.newId('clm')
    const isNew = await insertClaim(tx.db, {
      id,
      booking_no: found.no,
      says: input.says,
      words: ctx.secrets.seal('claim', input.words),
      state: claimLife.to('contest'),
      answer: null,
      answered_at: null,
      created_at: ctx.now(),
      decided_at: null,
      decided_by: null,
      note: null,
    })
    if (!isNew) throw new AppError('contest_made')
    await tx.outbox.add('claim.made', { claimId: id })
    await tx.audit.add({ action: 'claim.made', entity: id, details: { says: input.says } })
  })
  return (await readVisit(ctx, { id: input.id })).outcome
}

/**
 * Blanks what the owner of an erased account wrote in claims, as a patient or as a provider. The claims and
 * their decisions stay. Open claims are decided without the text.
 */
export async function eraseOutcomeClaims({ database }: Services, userId: string): Promise<void> {
  await blankClaimsOf(database.db, userId)
  await blankAnswersOf(database.db, userId)
}

/** Decrypts a provider's answer; null while there is none, empty once it is deleted. */
function openAnswer({ secrets }: Context, answer: string | null): string | null {
  return answer === null || answer === '' ? answer : secrets.open('claim', answer)
}

type OpenClaimRow = NonNullable<Awaited<ReturnType<typeof findOpenClaim>>>

function showProviderClaim(ctx: Context, row: OpenClaimRow): ProviderClaim {
  const until = row.created_at + ANSWER_WITHIN_MS
  return {
    says: row.says,
    decideBy: toIso(row.created_at + DECIDE_WITHIN_MS),
    answerUntil: row.answer === null && ctx.now() < until ? toIso(until) : null,
    answer: openAnswer(ctx, row.answer),
  }
}

/** The open claim of the patient of one of the viewer's visits, if any. */
export async function readProviderClaim(
  ctx: AsProvider,
  { id }: VisitRef,
): Promise<ProviderClaimResponse> {
  const { db } = ctx.database
  const { no: providerNo } = await ownProvider(ctx, db)
  const found = await findBooked(db, id, { providerNo })
  if (found === undefined) throw new AppError('not_found')
  const row = await findOpenClaim(db, found.no)
  return { claim: row === undefined ? null : showProviderClaim(ctx, row) }
}

/**
 * The viewer, a provider, answers a patient's claim in writing: once, within five days. Encrypted like the
 * claim; only staff read it, before they decide. Throws `answer_impossible` when no open claim can be
 * answered any more.
 */
export async function answerClaim(
  ctx: AsProvider,
  input: AnswerClaimInput,
): Promise<ProviderClaim> {
  return ctx.transaction(async (tx) => {
    await lockOwnAccount(ctx, tx)
    const { no: providerNo } = await ownProvider(ctx, tx.db)
    const found = await findBooked(tx.db, input.id, { providerNo })
    if (found === undefined) throw new AppError('not_found')
    const claim = await setAnswer(tx.db, found.no, {
      words: ctx.secrets.seal('claim', input.words),
      now: ctx.now(),
      madeAfter: ctx.now() - ANSWER_WITHIN_MS,
    })
    if (claim === undefined) throw new AppError('answer_impossible')
    await tx.audit.add({ action: 'claim.answered', entity: claim.id })
    const row = await findOpenClaim(tx.db, found.no)
    if (row === undefined) throw new Error('The answered claim does not exist.')
    return showProviderClaim(ctx, row)
  })
}

/** Claims shown at once; more follow as these are decided. */
const MAX_SHOWN = 50

function nameOf(row: ClaimRow): string | null {
  const name = [row.patient_first_name, row.patient_last_name].filter(Boolean).join(' ')
  return row.patient_erased_at !== null || name === '' ? null : name
}

async function joinsOf(
  { database: { db } }: AsStaff,
  row: ClaimRow,
): Promise<OutcomeClaim['joins']> {
  if (row.mode !== 'video') return null
  const joins = await listJoins(db, row.booking_no)
  return joins.map(({ by_kind: by, at }) => ({ by, at: toIso(at) }))
}

async function showClaim(ctx: AsStaff, row: ClaimRow): Promise<OutcomeClaim> {
  if (row.paid_by === null) throw new Error('A booked visit is not paid for.')
  const paymentNo = row.paid_by
  const { left } = await readMoney(ctx.database.db, paymentNo)
  return {
    id: OutcomeClaimId.parse(row.id),
    visitId: AppointmentId.parse(row.visit_id),
    reference: row.reference,
    patientName: nameOf(row),
    providerName: shownName(row),
    startsAt: toIso(row.start_at),
    timeZone: row.time_zone,
    markedAt: row.outcome_at === null ? null : toIso(row.outcome_at),
    says: row.says,
    words: row.words === '' ? '' : ctx.secrets.open('claim', row.words),
    answer: openAnswer(ctx, row.answer),
    answerUntil: toIso(row.created_at + ANSWER_WITHIN_MS),
    createdAt: toIso(row.created_at),
    decideBy: toIso(row.created_at + DECIDE_WITHIN_MS),
    joins: await joinsOf(ctx, row),
    refundable: left,
  }
}

/** Open claims, the oldest first. The access is audited: they may be about health. */
export async function listClaims(ctx: AsStaff): Promise<OutcomeClaim[]> {
  const rows = await listOpenClaims(ctx.database.db, MAX_SHOWN)
  const shown: OutcomeClaim[] = []
  // Each locks the next payment.
  for (const row of rows) shown.push(await showClaim(ctx, row))
  if (rows.length > 0) await ctx.record({ action: 'claim.read', details: { count: rows.length } })
  return shown
}

/** Number of open claims. */
export async function countClaims(ctx: AsStaff): Promise<ClaimCount> {
  return { open: await countOpenClaims(ctx.database.db) }
}

/**
 * Staff decide a contested visit's outcome: the mark stays or is corrected. A visit not held is refunded.
 * Both sides are emailed. Throws `claim_decided` when the claim is no longer open.
 */
export async function decideClaim(ctx: AsStaff, input: DecideClaimInput): Promise<Done> {
  const { id, outcome, reason } = input
  const claim = await findClaim(ctx.database.db, id)
  if (claim === undefined) throw new AppError('not_found')
  if (claim.paid_by === null) throw new Error('A booked visit is not paid for.')
  const { paid_by: paymentNo, booking_no: bookingNo } = claim
  await ctx.transaction(async (tx) => {
    const money = await lockMoney(ctx, tx, paymentNo)
    const visit = await lockBooking(tx.db, bookingNo)
    const decided = await closeClaim(tx.db, bookingNo, {
      event: outcome === 'no_show' ? 'reject' : 'uphold',
      decided_at: ctx.now(),
      decided_by: ctx.viewer.id,
      note: reason,
    })
    if (decided === undefined) throw new AppError('claim_decided')
    if (visit.outcome !== outcome) {
      await writeStaffMark(ctx, tx, { visit, outcome, money, refund: input.refund })
    }
    await tx.outbox.add('claim.decided', { claimId: id })
    await tx.audit.add({ action: 'claim.decided', entity: id, details: { outcome } })
  })
  return { status: true }
}
