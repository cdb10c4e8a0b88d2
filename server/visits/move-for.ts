import { toIso } from '#contract/time.ts'
import type { MoveAgreedInput, MovedVisit, MoveForInput } from '#contract/visits.ts'
import type { AsStaff, Context, SignedIn } from '#server/context.ts'
import { ownProvider } from '#server/profiles/own-profile.ts'
import type { FindVisit } from './cancel-visit.ts'
import { moveTo } from './move-visit.ts'
import { findBooked, findOfProvider } from './store.ts'

async function movedFor(ctx: Context, find: FindVisit): Promise<MovedVisit> {
  const visit = await find(ctx.database.db)
  if (visit === undefined) throw new Error('The visit that was moved is gone.')
  const { id, sequence, start_at: start, time_zone: timeZone } = visit
  return { id, sequence, startsAt: toIso(start), timeZone }
}

/**
 * The provider moves an upcoming visit to another of their free times, as agreed with the patient, who is
 * emailed. From then on cancelling is free until the start. Checked as for patients, except for the limit on
 * moves and the patient's other visits, which the provider must not learn of.
 */
export async function moveAgreed(ctx: SignedIn, input: MoveAgreedInput): Promise<MovedVisit> {
  const { id, sequence, slot, note = null } = input
  const { no } = await ownProvider(ctx, ctx.database.db)
  const find: FindVisit = (db) => findOfProvider(db, id, no)
  await moveTo(ctx, { find, policy: 'provider', sequence, slot, note })
  return movedFor(ctx, find)
}

const policies = { patient: 'for_patient', provider: 'provider' } as const

/**
 * Staff move an upcoming visit on behalf of its patient or its provider, which decides the free-cancellation
 * deadline. The reason is recorded for staff only.
 */
export async function moveFor(ctx: AsStaff, input: MoveForInput): Promise<MovedVisit> {
  const { id, for: whom, sequence, slot, reason: note } = input
  const find: FindVisit = (db) => findBooked(db, id)
  const reason = whom === 'patient' ? 'for_patient' : 'for_provider'
  await moveTo(ctx, { find, policy: policies[whom], sequence, slot, reason, note })
  return movedFor(ctx, find)
}
