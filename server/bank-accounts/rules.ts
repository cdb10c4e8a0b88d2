import type { Region } from '#contract/base/region.ts'
import { AppError } from '#server/kernel/errors.ts'

const WRONG_REGION = {
  uk: 'Your practice is in the UK: enter a sort code and an account number.',
  usa: 'Your practice is in the USA: enter a routing number and an account number.',
} as const satisfies Record<Region, string>

/** Refuses an account in another country than the practice's, where payouts are made. */
export function assertRegion(accountRegion: Region, own: Region): void {
  if (accountRegion === own) return
  const issues = [{ path: 'region', message: WRONG_REGION[own] }]
  throw new AppError('invalid_input', {}, { issues })
}

/** A sort code or routing number as it is printed. */
export function formatCode(code: string, region: Region): string {
  return region === 'uk' ? code.replace(/^(..)(..)(..)$/, '$1-$2-$3') : code
}

/**
 * The account that becomes primary after another is deleted; null when nothing changes. The list has the
 * primary one first, then the oldest.
 */
export function nextPrimary<Row extends { no: number; is_primary: 0 | 1 }>(
  list: readonly Row[],
  deleted: Row,
): Row | null {
  if (deleted.is_primary === 0) return null
  return list.find(({ no }) => no !== deleted.no) ?? null
}
