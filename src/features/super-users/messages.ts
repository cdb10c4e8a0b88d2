import { useCallback } from 'react'
import type { Failure } from '#app/lib/errors.ts'
import { trpc } from '#app/trpc.ts'
import type { StaffRole } from '#contract/staff.ts'

/** What each role is for, in a line. */
export const roleDescriptions: Record<StaffRole, string> = {
  superuser: 'Can do everything an admin can, and manages staff, exports and the audit log.',
  admin: 'Verifies providers, sees names in payments, refunds, and publishes the homepage.',
  editor: 'Publishes the homepage and sees payments without names.',
  author: 'Adds images to the gallery and publishes nothing.',
}

/** No response at all. */
const NO_RESPONSE: ReadonlySet<Failure['code']> = new Set(['offline', 'timeout'])

/** A response that did not come from our server. */
const FOREIGN_RESPONSE: ReadonlySet<Failure['code']> = new Set(['unknown', 'outdated'])

/** The documented toast when adding or changing a staff member failed. */
export function saveFailureText({ code, sentence }: Failure): string {
  return NO_RESPONSE.has(code) || FOREIGN_RESPONSE.has(code) ? 'Something went wrong.' : sentence
}

/** The documented toast when deleting a staff member failed. */
export function deleteFailureText({ code, sentence }: Failure): string {
  if (NO_RESPONSE.has(code)) return 'Something went wrong. Try again.'
  return FOREIGN_RESPONSE.has(code) ? 'Something went wrong' : sentence
}

/** Refetches the list; resolves when it has loaded. */
export function useInvalidateSuperUsers(): () => Promise<void> {
  const utils = trpc.useUtils()
  return useCallback(() => utils.superUsers.list.invalidate(), [utils])
}
