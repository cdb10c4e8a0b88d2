import { isSuperuserViolation } from '#db/failures.ts'
import type { SignedIn, Tx } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { findStaff, findStaffByNo, holdStaff, type StaffRow } from './store.ts'

/** A change of a colleague: whom, as they are while nobody else can change them. */
export type Changing = { tx: Tx; row: StaffRow }

async function begin(ctx: SignedIn, tx: Tx, id: string): Promise<Changing> {
  const found = await findStaff(tx.db, id)
  if (found === undefined) throw new AppError('not_found')
  const { accountNo } = ctx.session
  await holdStaff(tx.db, [accountNo, found.no])
  // Both may have been changed by whoever held them before.
  const self = await findStaffByNo(tx.db, accountNo)
  if (self?.role !== 'superuser' || self.suspended_at !== null) {
    throw new AppError('superusers_only')
  }
  const row = await findStaffByNo(tx.db, found.no)
  if (row === undefined) throw new AppError('not_found')
  if (row.no === accountNo) throw new AppError('last_superuser')
  await tx.attempts.take('staff_change', self.id)
  return { tx, row }
}

/**
 * Runs a change of a colleague in one transaction, in which the viewer is still a superuser and is not
 * the one who is changed; so one always remains. The database refuses the last one's going besides.
 */
export async function changeStaff<Answer>(
  ctx: SignedIn,
  change: { id: string; path: string },
  work: (changing: Changing) => Promise<Answer>,
): Promise<Answer> {
  try {
    return await ctx.transaction(async (tx) => work(await begin(ctx, tx, change.id)))
  } catch (error) {
    if (isSuperuserViolation(error)) throw new AppError('last_superuser')
    if (error instanceof AppError && error.code === 'not_found') {
      const details = { code: 'not_found' }
      const entity = change.path
      await ctx.record({ action: 'call.denied', outcome: 'denied', entity, details })
    }
    throw error
  }
}
