import type { VisitRef } from '#contract/booking.ts'
import {
  ANSWER_WITHIN_MS,
  type AnswerClaimInput,
  DECIDE_WITHIN_MS,
  type ProviderClaim,
  type ProviderClaimResponse,
} from '#contract/outcomes.ts'
import { toIso } from '#contract/time.ts'
import type { Context, SignedIn } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { ownProvider } from '#server/profiles/own-profile.ts'
import { findBooked, findOpenClaim, setAnswer } from './store.ts'

/** Decrypts a provider's answer; null while there is none, empty once it is deleted. */
export function openAnswer({ secrets }: Context, answer: string | null): string | null {
  return answer === null || answer === '' ? answer : secrets.open('claim', answer)
}

type ClaimRow = NonNullable<Awaited<ReturnType<typeof findOpenClaim>>>

function showClaim(ctx: Context, row: ClaimRow): ProviderClaim {
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
  ctx: SignedIn,
  { id }: VisitRef,
): Promise<ProviderClaimResponse> {
  const { db } = ctx.database
  const { no: providerNo } = await ownProvider(ctx, db)
  const found = await findBooked(db, id, { providerNo })
  if (found === undefined) throw new AppError('not_found')
  const row = await findOpenClaim(db, found.no)
  return { claim: row === undefined ? null : showClaim(ctx, row) }
}

/**
 * The viewer, a provider, answers a patient's claim in writing: once, within five days. Encrypted like the
 * claim; only staff read it, before they decide. Throws `answer_impossible` when no open claim can be
 * answered any more.
 */
export async function answerClaim(ctx: SignedIn, input: AnswerClaimInput): Promise<ProviderClaim> {
  return ctx.transaction(async (tx) => {
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
    if (row === undefined) throw new Error('The claim that was answered is not there.')
    return showClaim(ctx, row)
  })
}
