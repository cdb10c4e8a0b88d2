import type { Me } from '#contract/auth.ts'
import { hasSetUp } from './session.ts'

/** Where somebody who has just come in goes when nothing else was wanted. */
export function startPage(
  me: Me,
): '/home' | '/dochome' | '/userProfile' | '/admin-home' | '/admin-signin' {
  if (me.kind === 'staff') return hasSetUp(me) ? '/admin-signin' : '/admin-home'
  if (hasSetUp(me)) return '/userProfile'
  return me.kind === 'patient' ? '/home' : '/dochome'
}
