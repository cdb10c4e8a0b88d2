import type { PurposeAnswer, VisitRef } from '#contract/booking.ts'
import type { Context } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { ownProvider } from '#server/profiles/read-own.ts'
import { findPurpose } from './day-store.ts'

/** Why a patient comes to the viewer. Written down: it is somebody's health that is read. */
export async function readPurpose(ctx: Context, { id }: VisitRef): Promise<PurposeAnswer> {
  const { no: providerNo } = await ownProvider(ctx, ctx.database.db)
  const purposeForVisit = await findPurpose(ctx.database.db, { id, providerNo })
  if (purposeForVisit === undefined) throw new AppError('not_found')
  await ctx.record({ action: 'visit.purpose_read', entity: id })
  return { purposeForVisit }
}
