import type { DecideProofResponse, OfferProofCodeInput } from '#contract/verification-proof.ts'
import type { DecideProofInput } from '#contract/verification-staff.ts'
import type { Tx } from '#server/context.ts'
import { isErasedAddress } from '#server/kernel/email-address.ts'
import { AppError } from '#server/kernel/errors.ts'
import type { AsStaff } from '#server/verification/staff/list-providers.ts'
import { findClaimant, lockClaimant } from '#server/verification/store.ts'
import {
  type FoundProof,
  findProof,
  insertProof,
  replaceWaiting,
  updateProof,
} from './proof-store.ts'

/**
 * Records an address that the register or the practice publishes, and where: the provider can have a code
 * sent there. A newer address replaces one that is waiting.
 */
export async function offerProofCode(
  ctx: AsStaff,
  { providerId, email, source }: OfferProofCodeInput,
): Promise<{ asked: true }> {
  const known = await findClaimant(ctx.database.db, providerId)
  if (known === undefined || isErasedAddress(known.email)) throw new AppError('not_found')
  await ctx.transaction(async (tx) => {
    await tx.attempts.take('ask_again', providerId)
    const claimant = await lockClaimant(tx.db, providerId)
    const id = ctx.newId('prf')
    const now = ctx.now()
    await replaceWaiting(tx.db, { providerNo: claimant.no, kind: 'code', now })
    await insertProof(tx.db, {
      id,
      provider_no: claimant.no,
      kind: 'code',
      state: 'waiting',
      body: claimant.body,
      claimed_number: claimant.membership_number,
      claimed_name: `${claimant.first_name} ${claimant.last_name}`,
      document_no: null,
      email,
      source,
      created_at: now,
      created_by: ctx.viewer.id,
      decided_at: null,
      decided_by: null,
      reason: null,
    })
    await tx.outbox.add('proof.offered', { proofId: id })
    const details = { kind: 'code', proof: id }
    await tx.audit.add({ action: 'proof.address_entered', entity: providerId, details })
  })
  return { asked: true }
}

async function getProof(ctx: AsStaff, id: string): Promise<FoundProof> {
  const proof = await findProof(ctx.database.db, id)
  if (proof === undefined || isErasedAddress(proof.email)) throw new AppError('not_found')
  return proof
}

/**
 * Asserts that staff may move a proof from the state they saw to the requested one; otherwise throws
 * `proof_decided`.
 */
function assertMayDecide(proof: FoundProof, { seen, decision }: DecideProofInput): void {
  if (proof.state !== seen) throw new AppError('proof_decided')
  const isOpen = proof.state === 'waiting'
  // A code proof is only accepted by entering the code, which takes access to the published mailbox.
  if (decision === 'accepted' && isOpen && proof.kind === 'document') return
  if (decision === 'refused' && (isOpen || proof.state === 'accepted')) return
  throw new AppError('proof_decided')
}

async function write(ctx: AsStaff, tx: Tx, input: DecideProofInput): Promise<boolean> {
  const { proofId: id, seen, decision: state } = input
  const proof = await findProof(tx.db, id)
  if (proof === undefined) throw new AppError('not_found')
  const claimant = await lockClaimant(tx.db, proof.provider_id)
  const isOfNow =
    claimant.body === proof.body && claimant.membership_number === proof.claimed_number
  if (state === 'accepted' && !isOfNow) throw new AppError('claim_changed')
  // An accepted proof cannot be revoked while its provider is Verified: that has to be decided first.
  if (seen === 'accepted' && claimant.verification_status === 'Verified') {
    throw new AppError('decided_meanwhile')
  }
  const reason = input.decision === 'refused' ? input.reason : null
  const to = { id, seen, state, reason, decided_by: ctx.viewer.id, now: ctx.now() }
  if (!(await updateProof(tx.db, to))) return false
  if (state === 'refused') await tx.outbox.add('proof.refused', { proofId: id })
  await tx.audit.add({
    action: state === 'accepted' ? 'proof.accepted' : 'proof.refused',
    entity: proof.provider_id,
    details: { kind: proof.kind, proof: id },
  })
  return true
}

/**
 * Staff accept a provider's document, or refuse a proof with a reason, even an accepted one while its
 * provider is not Verified. If it was already decided, returns that decision if it is the same, else throws
 * `proof_decided`.
 */
export async function decideProof(
  ctx: AsStaff,
  input: DecideProofInput,
): Promise<DecideProofResponse> {
  const proof = await getProof(ctx, input.proofId)
  if (proof.state === input.decision) return { state: proof.state, reason: proof.reason }
  assertMayDecide(proof, input)
  await ctx.transaction((tx) => write(ctx, tx, input))
  const now = await getProof(ctx, input.proofId)
  if (now.state !== input.decision) throw new AppError('proof_decided')
  return { state: now.state, reason: now.reason }
}
