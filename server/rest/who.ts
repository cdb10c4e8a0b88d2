import type { Viewer } from '#server/context.ts'
import type { Principal } from '#server/kernel/access.ts'

const KINDS: [who: string, kind: Viewer['kind'], principals: Principal[]][] = [
  ['patients', 'patient', ['patient']],
  ['providers', 'provider', ['provider']],
  ['all staff', 'staff', ['superuser', 'admin', 'editor', 'author']],
  ['superusers, admins or editors', 'staff', ['superuser', 'admin', 'editor']],
  ['superusers or admins', 'staff', ['superuser', 'admin']],
  ['superusers', 'staff', ['superuser']],
]

/** In words who may call, such as "patients, superusers or admins"; who may can depend on the caller's kind. */
export function whoBy(mayOf: (kind: Viewer['kind']) => readonly Principal[]): string {
  if (mayOf('visitor').includes('visitor')) return 'anybody'
  const named = new Set<Principal>()
  const names: string[] = []
  for (const [who, kind, principals] of KINDS) {
    const admitted = mayOf(kind)
    if (!principals.every((one) => admitted.includes(one) && !named.has(one))) continue
    names.push(who)
    for (const one of principals) named.add(one)
  }
  return names.join(', ')
}

/** In words who may call. */
export function whoIn(may: readonly Principal[]): string {
  return whoBy(() => may)
}
