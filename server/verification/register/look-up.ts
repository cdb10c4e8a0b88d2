import type { ProviderId } from '#contract/base/ids.ts'
import type { ProfessionalBody } from '#contract/base/people.ts'
import type { LookUpInput, OwnVerification } from '#contract/verification.ts'
import type { StaffLookUpInput, StaffLookUpResponse } from '#contract/verification-staff.ts'
import type { AsProvider, AsStaff } from '#server/context.ts'
import type { RegisterAnswer } from '#server/gateways/registers.ts'
import { isErasedAddress } from '#server/kernel/email-address.ts'
import { AppError, UpstreamError } from '#server/kernel/errors.ts'
import {
  type Claimant,
  findClaimant,
  getClaimant,
  insertCheck,
  lockClaimant,
  upsertCompared,
  upsertQueued,
} from '#server/verification/store.ts'
import {
  isSameClaimant,
  makeCheck,
  readRegistrationStatus,
  registerUnavailableError,
} from './read-registration-status.ts'

type LookUpRequest = { body: ProfessionalBody; number: string; entity: string; isFresh: boolean }

async function queryRegister(ctx: AsStaff, request: LookUpRequest): Promise<RegisterAnswer | null> {
  const { body, number, entity, isFresh } = request
  await ctx.transaction((tx) => tx.attempts.take('register_all', ''))
  try {
    return await ctx.registers.lookUp(body, number, { isFresh })
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error
    ctx.log.warn({ err: error, body, requestId: ctx.requestId }, 'a register does not respond')
    const details = { body }
    await ctx.record({ action: 'verification.looked_up', outcome: 'failed', entity, details })
    throw registerUnavailableError(error)
  }
}

function shown(answer: RegisterAnswer | null): StaffLookUpResponse {
  if (answer === null) return { answer: null }
  const { name, registration_number, standing, status_text } = answer
  return { answer: { Name: name, registration_number, standing, status_text } }
}

async function lookUpProvider(ctx: AsStaff, id: ProviderId): Promise<StaffLookUpResponse> {
  const claimant = await findClaimant(ctx.database.db, id)
  if (claimant === undefined || isErasedAddress(claimant.email)) throw new AppError('not_found')
  const { body, membership_number: number } = claimant
  const answer = await queryRegister(ctx, { body, number, entity: id, isFresh: true })
  const now = ctx.now()
  const check = makeCheck(claimant, answer, {
    id: ctx.newId('chk'),
    kind: 'look_up',
    at: now,
    actor_kind: 'staff',
    actor_id: ctx.viewer.id,
  })
  await ctx.transaction(async (tx) => {
    const current = await lockClaimant(tx.db, id)
    if (!isSameClaimant(current, claimant)) throw new AppError('claim_changed')
    await insertCheck(tx.db, check)
    await upsertCompared(tx.db, {
      providerNo: claimant.no,
      isVerified: current.verification_status === 'Verified',
      isMatch: check.outcome === 'match',
      now,
    })
    await tx.audit.add({
      action: 'verification.looked_up',
      entity: id,
      details: { body, outcome: check.outcome },
    })
  })
  return shown(answer)
}

async function lookUpNumber(
  ctx: AsStaff,
  body: ProfessionalBody,
  number: string,
): Promise<StaffLookUpResponse> {
  const entity = `${body}:${number}`
  const answer = await queryRegister(ctx, { body, number, entity, isFresh: false })
  await ctx.record({
    action: 'verification.looked_up',
    entity,
    details: { body, outcome: answer === null ? 'not_found' : 'found' },
  })
  return shown(answer)
}

/**
 * Queries a register for staff: for a provider, whose claim is compared and stored as evidence, or for any
 * number. Throws `register_unavailable`, with the register's own message if it gave one.
 */
export function lookUp(ctx: AsStaff, input: StaffLookUpInput): Promise<StaffLookUpResponse> {
  const { providerId, professional_body_name: body, membership_number: number } = input
  if (providerId !== undefined) return lookUpProvider(ctx, providerId)
  if (body === undefined || number === undefined) throw new AppError('invalid_input')
  return lookUpNumber(ctx, body, number)
}

function assertOwn(claimant: Claimant, input: LookUpInput): void {
  const isOwn =
    claimant.body === input.professional_body_name &&
    claimant.membership_number === input.membership_number
  if (!isOwn) throw new AppError('not_found')
}

/**
 * Queries the register outside any transaction; a failed query does not count against the provider's limit.
 */
async function queryOwnRegister(
  ctx: AsProvider,
  claimant: Claimant,
): Promise<RegisterAnswer | null> {
  const { body, membership_number: number } = claimant
  try {
    return await ctx.registers.lookUp(body, number)
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error
    ctx.log.warn({ err: error, body, requestId: ctx.requestId }, 'a register does not respond')
    await ctx.transaction(async (tx) => {
      await tx.attempts.uncount('register_own', ctx.viewer.id)
      await tx.audit.add({
        action: 'verification.looked_up',
        outcome: 'failed',
        entity: claimant.id,
        details: { body },
      })
    })
    throw new AppError('register_unavailable', {}, { cause: error })
  }
}

/**
 * Compares the signed-in provider's own number with the register and stores the result. Staff decide;
 * matching providers come first in their queue.
 */
export async function lookUpOwn(ctx: AsProvider, input: LookUpInput): Promise<OwnVerification> {
  const claimant = await getClaimant(ctx.database.db, ctx.viewer.id)
  assertOwn(claimant, input)
  await ctx.transaction(async (tx) => {
    await tx.attempts.take('register_own', ctx.viewer.id)
    await tx.attempts.take('register_all', '')
  })
  const answer = await queryOwnRegister(ctx, claimant)
  const now = ctx.now()
  const check = makeCheck(claimant, answer, {
    id: ctx.newId('chk'),
    kind: 'look_up',
    at: now,
    actor_kind: 'provider',
    actor_id: ctx.session?.userId ?? null,
  })
  await ctx.transaction(async (tx) => {
    const current = await lockClaimant(tx.db, ctx.viewer.id)
    // The response is only valid for the claim that was sent.
    if (!isSameClaimant(current, claimant)) throw new AppError('claim_changed')
    await insertCheck(tx.db, check)
    await upsertQueued(tx.db, {
      providerNo: claimant.no,
      isVerified: current.verification_status === 'Verified',
      isMatch: check.outcome === 'match',
      now,
    })
    await tx.audit.add({
      action: 'verification.looked_up',
      entity: claimant.id,
      details: { body: check.body, outcome: check.outcome },
    })
  })
  return readRegistrationStatus(ctx)
}
