import type { VisitRef } from '#contract/booking.ts'
import {
  ANSWER_WITHIN_MS,
  type AnswerClaimInput,
  DECIDE_WITHIN_MS,
  type ProviderClaim,
  type ProviderClaimAnswer,
} from '#contract/outcomes.ts'
import { toIso } from '#contract/time.ts'
import type { Context, SignedIn } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { ownProvider } from '#server/profiles/own-profile.ts'
import { findBooked, findOpenClaim, setAnswer } from './store.ts'

/** What a provider answered, as it was written; null while there is none, empty once it is forgotten. */
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

/** What the patient of a visit of the viewer's contests, while nobody has decided about it. */
export async function readProviderClaim(
  ctx: SignedIn,
  { id }: VisitRef,
): Promise<ProviderClaimAnswer> {
  const { db } = ctx.database
  const { no: providerNo } = await ownProvider(ctx, db)
  const found = await findBooked(db, id, { providerNo })
  if (found === undefined) throw new AppError('not_found')
  const row = await findOpenClaim(db, found.no)
  return { claim: row === undefined ? null : showClaim(ctx, row) }
}

/**
 * The viewer, a provider, answers in writing what a patient of theirs contests: once, within five days.
 * Staff read it before they decide; it is sealed as what the patient wrote is, and told to nobody else.
 * `answer_impossible` when there is nothing to answer any more.
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
