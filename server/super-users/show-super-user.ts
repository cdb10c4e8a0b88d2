import { UserId } from '#contract/ids.ts'
import type { SuperUser } from '#contract/super-users.ts'
import { toIso } from '#contract/time.ts'
import type { Session } from '#server/context.ts'
import { maskedEmail } from '#server/kernel/masked-email.ts'
import { roleOf, stateOf } from './rules.ts'
import type { StaffRow } from './store.ts'

type Looking = { session: Pick<Session, 'accountNo'>; seesAddresses: boolean }

/** A row of staff as somebody on the staff sees it; one's own address is no secret. */
export function showSuperUser(row: StaffRow, looking: Looking): SuperUser {
  const isYou = row.no === looking.session.accountNo
  return {
    id: UserId.parse(row.id),
    email: looking.seesAddresses || isYou ? row.email : maskedEmail(row.email),
    role: roleOf(row),
    state: stateOf(row),
    isYou,
    addedAt: toIso(row.created_at),
  }
}
