import { fullName } from '#contract/base/person-names.ts'
import { proofLife } from '#contract/life-cycles/verification.ts'
import type {
  DecideProofResponse,
  EnterProofCodeInput,
  OfferProofCodeInput,
  OwnVerification,
  SendProofInput,
} from '#contract/verification.ts'
import type { DecideProofInput } from '#contract/verification-staff.ts'
import { checkCode, issueCode } from '#server/auth/codes/codes.ts'
import { type AsProvider, type AsStaff, lockOwnAccount, type Tx } from '#server/context.ts'
import { isErasedAddress } from '#server/kernel/email-address.ts'
import { AppError } from '#server/kernel/errors.ts'
import { findDocument } from '#server/verification/company/company-store.ts'
import {
  readRegistrationStatus,
  stateOf,
} from '#server/verification/register/read-registration-status.ts'
import { CODE_PURPOSE } from '#server/verification/rules.ts'
import {
  type Claimant,
  findClaimant,
  getClaimant,
  lockClaimant,
  returnToQueue,
} from '#server/verification/store.ts'
import {
  type FoundProof,
  findProof,
  findWaitingCode,
  hasDocumentProof,
  insertProof,
  replaceWaiting,
  updateProof,
} from './proof-store.ts'

/** A proof may be what a refused provider lacked, so staff look again. */
async function reopenRefused(tx: Tx, claimant: Claimant, now: number): Promise<void> {
  if (stateOf(claimant) === 'refused') await returnToQueue(tx.db, claimant.no, now)
}

type ProofDocument = { claimant: Claimant; documentNo: number }

/**
 * Stores a document as a proof awaiting review; one that already awaits it, or is accepted, stays as it is.
 * Call in a transaction that has locked the claimant.
 */
export async function saveDocumentProof(
  ctx: AsProvider,
  tx: Tx,
  { claimant, documentNo }: ProofDocument,
): Promise<void> {
  const now = ctx.now()
  const isKnown = await hasDocumentProof(tx.db, claimant, documentNo)
  if (isKnown && stateOf(claimant) !== 'refused') return
  if (!isKnown) await insertDocumentProof(ctx, tx, { claimant, documentNo })
  await reopenRefused(tx, claimant, now)
  await tx.audit.add({
    action: 'proof.sent',
    entity: claimant.id,
    details: { kind: 'document' },
  })
}

async function insertDocumentProof(
  ctx: AsProvider,
  tx: Tx,
  { claimant, documentNo }: ProofDocument,
): Promise<void> {
  const now = ctx.now()
  await replaceWaiting(tx.db, { providerNo: claimant.no, kind: 'document', now })
  await insertProof(tx.db, {
    id: ctx.newId('prf'),
    provider_no: claimant.no,
    kind: 'document',
    state: proofLife.to('offer'),
    body: claimant.body,
    claimed_number: claimant.membership_number,
    claimed_name: fullName(claimant.first_name, claimant.last_name),
    document_no: documentNo,
    email: null,
    source: null,
    created_at: now,
    created_by: ctx.session?.userId ?? null,
    decided_at: null,
    decided_by: null,
    reason: null,
  })
}

/**
 * Sends a document that proves the signed-in provider's identity, such as photo ID, for staff to review. A
 * newer one replaces one that is waiting; the same one adds nothing. `not_found` if the document is not the
 * provider's.
 */
export async function sendProof(
  ctx: AsProvider,
  { document: id }: SendProofInput,
): Promise<OwnVerification> {
  await ctx.transaction(async (tx) => {
    await lockOwnAccount(ctx, tx)
    const claimant = await lockClaimant(tx.db, ctx.viewer.id)
    const document = await findDocument(tx.db, claimant.no, id)
    if (document === undefined) throw new AppError('not_found')
    await saveDocumentProof(ctx, tx, { claimant, documentNo: document.no })
  })
  return readRegistrationStatus(ctx)
}

function ownAccount({ session }: AsProvider): { no: number; id: string } {
  return { no: session.accountNo, id: session.userId }
}

/** The address that awaits a code; `not_found` if staff have entered none for the number. */
async function getWaitingCode(ctx: AsProvider) {
  const claimant = await getClaimant(ctx.database.db, ctx.viewer.id)
  const proof = await findWaitingCode(ctx.database.db, claimant)
  if (proof === undefined) throw new AppError('not_found')
  return { claimant, proof }
}

/**
 * Sends a code to the published address that staff entered. Rate-limited like all codes: one a minute, five
 * an hour, ten a day; expires after ten minutes.
 */
export async function sendProofCode(ctx: AsProvider): Promise<OwnVerification> {
  const { claimant, proof } = await getWaitingCode(ctx)
  await ctx.transaction(async (tx) => {
    const bound = { account: ownAccount(ctx), purpose: CODE_PURPOSE, object: proof.id }
    const { code } = await issueCode(ctx, tx, bound)
    const secret = ctx.secrets.seal('mail', code)
    await tx.outbox.add('proof.code', { proofId: proof.id, secret }, { to: proof.email })
    await tx.audit.add({
      action: 'code.sent',
      entity: claimant.id,
      details: { purpose: CODE_PURPOSE },
    })
  })
  return readRegistrationStatus(ctx)
}

/**
 * Checks the code sent to the published address: the right one accepts the proof. Throws `code_invalid` for a
 * wrong one, `code_locked` after five, and `not_found` if the address has been replaced.
 */
export async function enterProofCode(
  ctx: AsProvider,
  { otp: code }: EnterProofCodeInput,
): Promise<OwnVerification> {
  const { claimant, proof } = await getWaitingCode(ctx)
  const account = ownAccount(ctx)
  const attempt = { account, purpose: CODE_PURPOSE, object: proof.id, code }
  const accept = async (tx: Tx) => {
    const current = await lockClaimant(tx.db, ctx.viewer.id)
    const isOfNow = (await findWaitingCode(tx.db, current))?.id === proof.id
    const to = { state: proofLife.to('accept'), decided_by: account.id, reason: null } as const
    const about = { id: proof.id, seen: 'waiting', now: ctx.now() } as const
    if (!isOfNow || !(await updateProof(tx.db, { ...about, ...to }))) {
      throw new AppError('not_found')
    }
    await reopenRefused(tx, current, ctx.now())
    await tx.audit.add({
      action: 'proof.accepted',
      entity: claimant.id,
      details: { kind: 'code', proof: proof.id },
    })
  }
  if (!(await checkCode(ctx, attempt, accept))) throw new AppError('code_invalid')
  return readRegistrationStatus(ctx)
}

/**
 * Records an address that the register or the practice publishes, and where: the provider can have a code
 * sent there. A newer address replaces one that is waiting.
 */
export async function offerProofCode(
  ctx: AsStaff,
  { providerId, email, source }: OfferProofCodeInput,
): Promise<{ asked: true }> {
  const known = await findClaimant(ctx.database.db, providerId)
  if (known === undefined) throw new AppError('not_found')
  await ctx.transaction(async (tx) => {
    await tx.attempts.take('ask_again', providerId)
    const claimant = await lockClaimant(tx.db, providerId)
    // After the lock: what is written must not miss the clean-up of an erasure.
    if (isErasedAddress(claimant.email)) throw new AppError('not_found')
    const id = ctx.newId('prf')
    const now = ctx.now()
    await replaceWaiting(tx.db, { providerNo: claimant.no, kind: 'code', now })
    await insertProof(tx.db, {
      id,
      provider_no: claimant.no,
      kind: 'code',
      state: proofLife.to('offer'),
      body: claimant.body,
      claimed_number: claimant.membership_number,
      claimed_name: fullName(claimant.first_name, claimant.last_name),
      document_no: null,
      email,
      source,
      created_at: now,
      created_by: ctx.viewer.id,
      decided_at: null,
      decided_by: null,
      reason: null,
    })
    await tx.outbox.add('proof.offered', { proofId: id }, { to: providerId })
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
  // A code proof is only accepted by entering the code, which takes access to the published mailbox.
  const isCode = decision === 'accepted' && proof.kind === 'code'
  const event = decision === 'accepted' ? 'accept' : 'refuse'
  if (isCode || !proofLife.may(event, proof.state, 'staff')) throw new AppError('proof_decided')
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
  if (state === 'refused') {
    await tx.outbox.add('proof.refused', { proofId: id }, { to: proof.provider_id })
  }
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
