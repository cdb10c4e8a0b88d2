import type { ContestInput, PatientOutcome } from '#contract/outcomes.ts'
import { contestUntil } from '#server/booking/outcome-rules.ts'
import { readVisit } from '#server/booking/visits/read-visit.ts'
import type { Services, SignedIn } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { blankAnswersOf, blankClaimsOf, findBooked, insertClaim, lockBooking } from './store.ts'

/**
 * The viewer, a patient, contests a no-show, once per visit and within seven days. The provider is emailed,
 * and staff decide. Throws `contest_impossible` when there is nothing to contest any more.
 */
export async function contest(ctx: SignedIn, input: ContestInput): Promise<PatientOutcome> {
  const { accountNo } = ctx.session
  await ctx.transaction(async (tx) => {
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
      state: 'open',
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
export async function forgetOutcomeClaims({ database }: Services, userId: string): Promise<void> {
  await blankClaimsOf(database.db, userId)
  await blankAnswersOf(database.db, userId)
}
