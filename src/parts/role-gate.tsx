import { Lock } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { cx } from '#app/lib/cx.ts'
import { hasSetUp } from '#app/lib/session.ts'
import { sentenceFor } from '#contract/sentences.ts'
import { type StaffAct, type StaffRole, whyNot } from '#contract/staff.ts'
import { knownMe, useMe } from './use-me.ts'

/** The role of the staff member signed in; null for others, or while unknown. */
export function useStaffRole(): StaffRole | null {
  return useMe().data?.role ?? null
}

/** Why the user may not do something, in words; null if they may, or while that is unknown. */
export function useWhyNot(act: StaffAct): string | null {
  const role = useStaffRole()
  const code = role === null ? null : whyNot(act, role)
  return code === null ? null : sentenceFor(code)
}

/** For loaders: whether the user is known to be staff and allowed to do something. */
export function mayHere(context: Parameters<typeof knownMe>[0], act: StaffAct | null): boolean {
  const me = knownMe(context)
  if (me?.kind !== 'staff' || me.role === null || hasSetUp(me)) return false
  return act === null || whyNot(act, me.role) === null
}

type ReasonProps = { act: StaffAct; id?: string; className?: string }

/**
 * Tells users without a permission who has it, once for all controls below: disable these by `useWhyNot` and
 * set their `aria-describedby` to its `id`. Renders nothing for users who have it.
 */
export function RoleReason({ act, id, className }: ReasonProps) {
  const reason = useWhyNot(act)
  if (reason === null) return null
  return (
    <p id={id} className={cx('flex items-center gap-2 text-sm text-muted', className)}>
      <Lock aria-hidden="true" className="size-4 shrink-0" />
      {reason}
    </p>
  )
}

/** Properties that disable a control and refer to the reason. */
export type Gate = { disabled: boolean; 'aria-describedby'?: string }

type RoleGateProps = {
  act: StaffAct
  children: (gate: Gate) => ReactNode
  className?: string
}

/**
 * Disables a control for roles without the permission, with the reason beside it: `<RoleGate
 * act="refund">{(gate) => <Button {...gate}>Refund</Button>}</RoleGate>`.
 */
export function RoleGate({ act, children, className }: RoleGateProps) {
  const id = useId()
  const isBarred = useWhyNot(act) !== null
  if (!isBarred) return children({ disabled: false })
  return (
    <div className={cx('flex flex-wrap items-center gap-x-4 gap-y-2', className)}>
      {children({ disabled: true, 'aria-describedby': id })}
      <RoleReason act={act} id={id} />
    </div>
  )
}
