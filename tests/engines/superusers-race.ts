import { UserId } from '#contract/ids.ts'
import type { Db } from '#db/engine.ts'
import { isBusy } from '#db/failures.ts'
import type { SignedIn } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { changeRole, removeSuperUser } from '#server/super-users/change-staff.ts'
import type { TestApp } from '#tests/harness/test-app.ts'

type AccountRef = { no: number; id: string }

/** Who removes or demotes which superuser. */
export type Attempt = { by: AccountRef; whom: AccountRef; how: 'demote' | 'remove' }

function asSuperuser(testApp: TestApp, { no, id }: AccountRef): SignedIn {
  const session = {
    id: 'ses_',
    accountNo: no,
    userId: UserId.parse(id),
    kind: 'staff' as const,
    steppedUpUntil: testApp.services.now() + 1_000,
    mustSetSecondFactor: false,
    mustChangePassword: false,
  }
  return { ...testApp.context({ kind: 'staff', id, role: 'superuser' }), session }
}

async function attempt(testApp: TestApp, { by, whom, how }: Attempt): Promise<string> {
  const ctx = asSuperuser(testApp, by)
  const id = UserId.parse(whom.id)
  try {
    if (how === 'demote') await changeRole(ctx, { id, role: 'admin' })
    else await removeSuperUser(ctx, { id })
    return 'done'
  } catch (error) {
    if (error instanceof AppError) return error.code
    if (isBusy(error)) return 'busy'
    throw error
  }
}

/** Runs all attempts at once; returns the result of each. */
export function attemptAll(testApp: TestApp, attempts: readonly Attempt[]): Promise<string[]> {
  return Promise.all(attempts.map((one) => attempt(testApp, one)))
}

/** `count` attempts in which each superuser removes or demotes the next one in the ring. */
export function ringOf(people: readonly AccountRef[], count: number): Attempt[] {
  return Array.from({ length: count }, (_, at) => {
    const by = people[at % people.length]
    const whom = people[(at + 1) % people.length]
    if (by === undefined || whom === undefined) throw new Error('Nobody is in the ring.')
    return { by, whom, how: Math.floor(at / people.length) % 2 === 0 ? 'demote' : 'remove' }
  })
}

/** Number of superusers who can sign in. */
export async function countSuperusers(db: Db): Promise<number> {
  const rows = await db
    .selectFrom('accounts')
    .select('no')
    .where('role', '=', 'superuser')
    .where('suspended_at', 'is', null)
    .where('erased_at', 'is', null)
    .execute()
  return rows.length
}
