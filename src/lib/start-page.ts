import type { Me } from '#contract/auth.ts'

/** Where somebody who has just come in goes when nothing else was wanted. */
export function startPage(me: Me): '/home' | '/dochome' | '/userProfile' {
  if (me.must_set_second_factor || me.kind === 'staff') return '/userProfile'
  return me.kind === 'patient' ? '/home' : '/dochome'
}
