import { Lock } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { cx } from '#app/lib/cx.ts'
import { hasSetUp } from '#app/lib/session.ts'
import { sentenceFor } from '#contract/sentences.ts'
import { type StaffAct, type StaffRole, whyNot } from '#contract/staff.ts'
import { knownMe, useMe } from './use-me.ts'

/** The role of whoever of staff is signed in; null while the server has not said. */
export function useStaffRole(): StaffRole | null {
  return useMe().data?.role ?? null
}

/** Why the person here may not do something, in words, or null when they may (or it is not known yet). */
export function useWhyNot(act: StaffAct): string | null {
  const role = useStaffRole()
  const code = role === null ? null : whyNot(act, role)
  return code === null ? null : sentenceFor(code)
}

/** For loaders: whether the person here is known to be of staff and allowed to do something. */
export function mayHere(context: Parameters<typeof knownMe>[0], act: StaffAct | null): boolean {
  const me = knownMe(context)
  if (me?.kind !== 'staff' || me.role === null || hasSetUp(me)) return false
  return act === null || whyNot(act, me.role) === null
}

type ReasonProps = { act: StaffAct; id?: string; className?: string }

/**
 * Says who may do something to those who may not, once for all the controls below it: they are
 * `disabled` by `useWhyNot` and `aria-describedby` its `id`. Nothing for those who may.
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

/** What a control takes to be disabled with a reason. */
export type Gate = { disabled: boolean; 'aria-describedby'?: string }

type RoleGateProps = {
  act: StaffAct
  children: (gate: Gate) => ReactNode
  className?: string
}

/**
 * A control that not every role may use, disabled with the reason beside it:
 * `<RoleGate act="refund">{(gate) => <Button {...gate}>Refund</Button>}</RoleGate>`.
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
