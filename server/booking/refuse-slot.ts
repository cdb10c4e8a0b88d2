import type { ErrorCode } from '#contract/errors.ts'
import { toIso } from '#contract/time.ts'
import type { Instant } from '#db/columns.ts'
import type { Context } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { nearestOf } from './rules.ts'
import { listFreeAround } from './slot-store.ts'

type Refused = {
  code: Extract<ErrorCode, 'slot_taken' | 'slot_not_offered' | 'slot_passed'>
  providerNo: number
  wanted: Instant
}

/**
 * The refusal of a time, with the three nearest free ones under `nearest`: ISO instants parted by
 * spaces, empty when there are none.
 */
export async function refuseSlot(ctx: Context, refused: Refused): Promise<AppError> {
  const { code, providerNo, wanted } = refused
  const around = { providerNo, wanted, now: ctx.now() }
  const nearest = nearestOf(await listFreeAround(ctx.database.db, around), wanted)
  return new AppError(code, { nearest: nearest.map(toIso).join(' ') })
}
