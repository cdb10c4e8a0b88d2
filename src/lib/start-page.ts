import type { Me } from '#contract/auth.ts'

/** Where somebody who has just come in goes when nothing else was wanted. */
export function startPage(me: Me): '/home' | '/dochome' | '/userProfile' | '/admin-home' {
  if (me.must_set_second_factor) return '/userProfile'
  if (me.kind === 'staff') return '/admin-home'
  return me.kind === 'patient' ? '/home' : '/dochome'
}
