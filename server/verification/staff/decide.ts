import type { ProviderId } from '#contract/base/ids.ts'
import { toIso } from '#contract/base/time.ts'
import { verificationLife } from '#contract/life-cycles/verification.ts'
import {
  type AskAgainInput,
  type DecidedVerification,
  type DecideInput,
  STATUS_UPDATED,
} from '#contract/verification-staff.ts'
import { parseJson } from '#db/columns.ts'
import type { CheckRow } from '#db/tables/verification.ts'
import type { AsStaff, Tx } from '#server/context.ts'
import type { RegisterAnswer } from '#server/gateways/registers.ts'
import { isErasedAddress } from '#server/kernel/email-address.ts'
import { AppError, UpstreamError } from '#server/kernel/errors.ts'
import { markUnverified, markVerified } from '#server/profiles/mark-verified.ts'
import { insertRequest } from '#server/verification/evidence-store.ts'
import {
  isForCurrentClaim,
  isSameClaimant,
  makeCheck,
  registerUnavailableError,
  showCheck,
  stateOf,
} from '#server/verification/register/read-registration-status.ts'
import { findAccepted } from '#server/verification/registrant/proof-store.ts'
import { nextNight } from '#server/verification/rules.ts'
import {
  type Claimant,
  findClaimant,
  findNewestCheck,
  getClaimant,
  insertCheck,
  lockClaimant,
  lockNumber,
  updateRegistrationStatuses,
  upsertDecided,
} from '#server/verification/store.ts'

type Check = Omit<CheckRow, 'no'>

/** Already decided as requested: repeating a decision changes nothing and notifies no one. */
function isSettled(claimant: Claimant, input: DecideInput): boolean {
  const state = stateOf(claimant)
  if (input.verification_status === 'Verified') return state === 'verified'
  return state === 'refused' && (input.seen !== 'refused' || claimant.reason === input.reason)
}

function assertSeen(claimant: Claimant, { seen, verification_status }: DecideInput): void {
  const event = verification_status === 'Verified' ? 'verify' : 'refuse'
  if (stateOf(claimant) === seen && verificationLife.may(event, seen)) return
  throw new AppError('decided_meanwhile')
}

async function queryRegister(ctx: AsStaff, claimant: Claimant): Promise<RegisterAnswer | null> {
  const { body, membership_number: number } = claimant
  try {
    // A decision is based on the register's current entry, not on a cached one.
    return await ctx.registers.lookUp(body, number, { isFresh: true })
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error
    ctx.log.warn({ err: error, body, requestId: ctx.requestId }, 'a register does not respond')
    await ctx.record({
      action: 'verification.decided',
      outcome: 'failed',
      entity: claimant.id,
      details: { body },
    })
    throw registerUnavailableError(error)
  }
}

/** Evidence text for a refusal that the register did not cause. */
const NUMBER_TAKEN = 'The number belongs to another account, which is Verified.'
const NO_PROOF = 'There was no proof yet that the person is the registrant.'

/** Why a provider cannot be Verified although the register confirms the claim. */
type Obstacle = { code: 'number_taken' | 'proof_required'; reason: string }

/** Stores a check that did not support the requested decision; nothing is decided. */
async function recordRefusal(
  tx: Tx,
  claimant: Claimant,
  { code, ...check }: Check & { code?: Obstacle['code'] },
): Promise<void> {
  await insertCheck(tx.db, check)
  const isMatch = check.outcome === 'match' ? 1 : 0
  await updateRegistrationStatuses(tx.db, [claimant.no], {
    is_match: isMatch,
    checked_at: check.at,
  })
  await tx.audit.add({
    action: 'verification.decided',
    outcome: 'failed',
    entity: claimant.id,
    details: {
      body: check.body,
      outcome: check.outcome,
      ...(code && { code }),
    },
  })
}

/** What prevents Verified besides the register; null if nothing does. */
async function obstacleOf(tx: Tx, claimant: Claimant, isTaken: boolean): Promise<Obstacle | null> {
  if (isTaken) return { code: 'number_taken', reason: NUMBER_TAKEN }
  const proof = await findAccepted(tx.db, claimant)
  return proof === undefined ? { code: 'proof_required', reason: NO_PROOF } : null
}

async function recordDecision(tx: Tx, claimant: Claimant, check: Check): Promise<void> {
  const { at: now, decision, reason } = check
  const isVerified = decision === 'Verified'
  await insertCheck(tx.db, check)
  await upsertDecided(tx.db, claimant.no, {
    now,
    state: verificationLife.to(isVerified ? 'verify' : 'refuse'),
    reason: isVerified ? null : reason,
    is_match: check.outcome === 'match' ? 1 : 0,
    due_at: isVerified ? nextNight(now) : null,
  })
  if (isVerified) await markVerified(tx, claimant, now)
  else await markUnverified(tx, claimant, now)
  await tx.outbox.add('verification.decided', { checkId: check.id }, { to: claimant.id })
  await tx.audit.add({
    action: 'verification.decided',
    entity: claimant.id,
    details: { body: check.body, outcome: check.outcome, decision: decision ?? '' },
  })
}

function disagreementError(check: Check): AppError {
  return new AppError('register_disagrees', {
    body: check.body,
    outcome: check.outcome,
    differences: parseJson<string[]>(check.differences).join(' '),
    standing: check.standing ?? '',
  })
}

async function readDecided(ctx: AsStaff, id: ProviderId): Promise<DecidedVerification> {
  const { db } = ctx.database
  const claimant = await getClaimant(db, id)
  const check = await findNewestCheck(db, claimant.no)
  const state = stateOf(claimant)
  return {
    providerId: id,
    verification_status: claimant.verification_status,
    state,
    reason: state === 'refused' ? claimant.reason : null,
    verifiedAt: claimant.verified_at === null ? null : toIso(claimant.verified_at),
    check: check !== undefined && isForCurrentClaim(check, claimant) ? showCheck(check) : null,
  }
}

/**
 * Staff decide about a provider. The register is queried again, and nothing is decided if it does not
 * respond. Throws `register_disagrees` if it does not confirm a Verified decision, `number_taken` while
 * another account with the number is Verified, and `proof_required` without a proof that the person is the
 * registrant. If it was already decided, returns that decision if it is the same, else throws
 * `decided_meanwhile`.
 */
export async function decide(ctx: AsStaff, input: DecideInput): Promise<DecidedVerification> {
  const claimant = await findClaimant(ctx.database.db, input.providerId)
  if (claimant === undefined || isErasedAddress(claimant.email)) throw new AppError('not_found')
  if (isSettled(claimant, input)) return readDecided(ctx, input.providerId)
  assertSeen(claimant, input)
  await ctx.transaction((tx) => tx.attempts.take('register_all', ''))
  const answer = await queryRegister(ctx, claimant)
  const check = makeCheck(claimant, answer, {
    id: ctx.newId('chk'),
    kind: 'decision',
    at: ctx.now(),
    actor_kind: 'staff',
    actor_id: ctx.viewer.id,
  })
  const isVerifying = input.verification_status === 'Verified'
  const isBorneOut = !isVerifying || check.outcome === 'match'
  const decided = { decision: input.verification_status, reason: input.reason ?? null }
  const refusal = await ctx.transaction(async (tx) => {
    // Lock order: all claimants of a number before a single one, so that two decisions cannot deadlock.
    const isTaken = isBorneOut && isVerifying && (await lockNumber(tx.db, claimant))
    const current = await lockClaimant(tx.db, input.providerId)
    if (isSettled(current, input)) return null
    assertSeen(current, input)
    if (!isSameClaimant(current, claimant)) throw new AppError('claim_changed')
    if (!isBorneOut) {
      await recordRefusal(tx, claimant, check)
      return disagreementError(check)
    }
    const obstacle = isVerifying ? await obstacleOf(tx, current, isTaken) : null
    if (obstacle !== null) {
      await recordRefusal(tx, claimant, { ...check, ...obstacle })
      return new AppError(obstacle.code)
    }
    await recordDecision(tx, claimant, { ...check, ...decided })
    return null
  })
  if (refusal !== null) throw refusal
  ctx.log.info({ provider: claimant.id, requestId: ctx.requestId }, STATUS_UPDATED)
  return readDecided(ctx, input.providerId)
}

/**
 * Requests missing information from a provider by email. They move behind the others in the queue until they
 * respond. Throws `decided_meanwhile` for a Verified provider.
 */
export async function requestInformation(
  ctx: AsStaff,
  { providerId, what, about }: AskAgainInput,
): Promise<{ asked: true }> {
  const known = await findClaimant(ctx.database.db, providerId)
  if (known === undefined) throw new AppError('not_found')
  await ctx.transaction(async (tx) => {
    await tx.attempts.take('ask_again', providerId)
    const claimant = await lockClaimant(tx.db, providerId)
    // After the lock: what is written must not miss the clean-up of an erasure.
    if (isErasedAddress(claimant.email)) throw new AppError('not_found')
    if (claimant.verification_status === 'Verified') throw new AppError('decided_meanwhile')
    const id = ctx.newId('req')
    await insertRequest(tx.db, {
      id,
      provider_no: claimant.no,
      at: ctx.now(),
      actor_id: ctx.viewer.id,
      what,
      about,
    })
    await tx.outbox.add('verification.asked', { requestId: id }, { to: providerId })
    await tx.audit.add({ action: 'verification.asked_again', entity: providerId })
  })
  return { asked: true }
}
