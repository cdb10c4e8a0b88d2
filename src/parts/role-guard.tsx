import { Lock } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { cx } from '#app/lib/cx.ts'
import { mustSetUp } from '#app/lib/session.ts'
import type { AppContext, QueryUtils } from '#app/trpc.ts'
import { errorMessage } from '#contract/base/sentences.ts'
import { type StaffAction, type StaffRole, staffRefusal } from '#contract/base/staff.ts'
import { useMe, whenSignedIn } from './use-me.ts'

/** The role of the staff member signed in; null for others, or while unknown. */
export function useStaffRole(): StaffRole | null {
  return useMe().data?.role ?? null
}

/** Why the user may not do something, in words; null if they may, or while that is unknown. */
export function useStaffRefusal(act: StaffAction): string | null {
  const role = useStaffRole()
  const code = role === null ? null : staffRefusal(act, role)
  return code === null ? null : errorMessage(code)
}

/** For loaders: `whenSignedIn` for staff who may see the staff's pages; `may` says what their role allows. */
export function whenStaff(
  context: AppContext,
  prefetch: (utils: QueryUtils, may: (act: StaffAction) => boolean) => void,
): void {
  whenSignedIn(context, (me) => {
    const { role } = me
    if (role === null || mustSetUp(me)) return
    prefetch(context.utils, (act) => staffRefusal(act, role) === null)
  })
}

type ReasonProps = { act: StaffAction; id?: string; className?: string }

/**
 * Tells users without a permission who has it, once for all controls below: disable these by `useStaffRefusal` and
 * set their `aria-describedby` to its `id`. Renders nothing for users who have it.
 */
export function RoleReason({ act, id, className }: ReasonProps) {
  const reason = useStaffRefusal(act)
  if (reason === null) return null
  return (
    <p id={id} className={cx('flex items-center gap-2 text-sm text-muted', className)}>
      <Lock aria-hidden="true" className="size-4 shrink-0" />
      {reason}
    </p>
  )
}

/** Properties that disable a control and refer to the reason. */
export type DisabledProps = { disabled: boolean; 'aria-describedby'?: string }

type RoleGuardProps = {
  act: StaffAction
  children: (disabledProps: DisabledProps) => ReactNode
  className?: string
}

/**
 * Disables a control for roles without the permission, with the reason beside it: `<RoleGuard
 * act="refund">{(disabledProps) => <Button {...disabledProps}>Refund</Button>}</RoleGuard>`.
 */
export function RoleGuard({ act, children, className }: RoleGuardProps) {
  const id = useId()
  const isBarred = useStaffRefusal(act) !== null
  if (!isBarred) return <>{children({ disabled: false })}</>
  return (
    <div className={cx('flex flex-wrap items-center gap-x-4 gap-y-2', className)}>
      {children({ disabled: true, 'aria-describedby': id })}
      <RoleReason act={act} id={id} />
    </div>
  )
}
