import type { Done } from '#contract/base/done.ts'
import { UserId } from '#contract/base/ids.ts'
import { type StaffRole as Role, StaffRole, staffRefusal } from '#contract/base/staff.ts'
import { toIso } from '#contract/base/time.ts'
import {
  type AddFirstInput,
  type AddFirstResponse,
  type AddSuperUserInput,
  type ChangeRoleInput,
  type RemoveSuperUserInput,
  START_LINK_TTL_MS,
  type SuperUser,
  type SuperUsers,
} from '#contract/super-users.ts'
import { isSuperuserViolation, isUniqueViolation } from '#db/failures.ts'
import { closeAccountOf } from '#server/auth/accounts/accounts.ts'
import { openStaffAccount } from '#server/auth/accounts/register.ts'
import { enqueueEmail } from '#server/auth/emails.ts'
import { stepUpUntil } from '#server/auth/rules.ts'
import { hashNewPassword } from '#server/auth/second-factor/step-up.ts'
import { endAccess } from '#server/auth/sessions/end-access.ts'
import { readMe } from '#server/auth/sessions/read-session.ts'
import { openSession, setSessionCookies, tokensFor } from '#server/auth/sessions/sessions.ts'
import type { AsStaff, Context, Services, Session, SignedIn, Tx } from '#server/context.ts'
import { maskedEmail } from '#server/kernel/email-address.ts'
import { AppError } from '#server/kernel/errors.ts'
import { eraseMessages } from '#server/messages/send-email.ts'
import {
  findStaff,
  findStaffByNo,
  insertStartLink,
  isStartLink,
  isWithoutStaff,
  listStaff,
  lockActor,
  lockStaff,
  type StaffRow,
  setRole,
  useStartLinks,
} from './store.ts'

type Facts = { must_change_password: number; suspended_at: number | null }

/** The state of a staff account in the list. */
function stateOf(row: Facts): SuperUser['state'] {
  if (row.suspended_at !== null) return 'suspended'
  return row.must_change_password === 1 ? 'invited' : 'active'
}

/** Whether a role sees the addresses of colleagues, as it sees the names in payments. */
function seesAddresses(role: Role): boolean {
  return staffRefusal('seeNames', role) === null
}

/** The role of a row of staff, which always has one. */
function roleOf({ role }: { role: string | null }): Role {
  return StaffRole.parse(role)
}

type Seen = { email?: string | undefined; role?: Role | undefined }

/** Whether the row still matches what the client showed; fields it did not send are not compared. */
function matchesSeen(row: { email: string; role: string | null }, seen: Seen): boolean {
  const isSameEmail = seen.email === undefined || seen.email.trim().toLowerCase() === row.email
  return isSameEmail && (seen.role === undefined || seen.role === row.role)
}

/** A change of a colleague: their row is locked and current. */
export type StaffChange = { tx: Tx; row: StaffRow }

async function lockForChange(ctx: SignedIn, tx: Tx, id: string): Promise<StaffChange> {
  const found = await findStaff(tx.db, id)
  if (found === undefined) throw new AppError('not_found')
  const { accountNo } = ctx.session
  await lockStaff(tx.db, [accountNo, found.no])
  // Both may have changed while this waited for the lock.
  const self = await findStaffByNo(tx.db, accountNo)
  if (self?.role !== 'superuser' || self.suspended_at !== null) {
    throw new AppError('superusers_only')
  }
  const row = await findStaffByNo(tx.db, found.no)
  if (row === undefined) throw new AppError('not_found')
  if (row.no === accountNo) throw new AppError('last_superuser')
  await tx.attempts.take('staff_change', self.id)
  return { tx, row }
}

/**
 * Runs a change of a colleague in one transaction, with the viewer verified as a superuser who is not the one
 * being changed; so one always remains. A database trigger also protects the last superuser.
 */
async function changeStaff<Answer>(
  ctx: SignedIn,
  change: { id: string; path: string },
  work: (changing: StaffChange) => Promise<Answer>,
): Promise<Answer> {
  try {
    return await ctx.transaction(async (tx) => work(await lockForChange(ctx, tx, change.id)))
  } catch (error) {
    if (isSuperuserViolation(error)) throw new AppError('last_superuser')
    if (error instanceof AppError && error.code === 'not_found') {
      const details = { code: 'not_found' }
      const entity = change.path
      await ctx.record({ action: 'call.denied', outcome: 'denied', entity, details })
    }
    throw error
  }
}

/** Changes a colleague's role. They are signed out everywhere and notified by email. */
export async function changeRole(ctx: SignedIn, input: ChangeRoleInput): Promise<SuperUser> {
  const change = { id: input.id, path: 'superUsers.changeRole' }
  return changeStaff(ctx, change, async ({ tx, row }) => {
    if (!matchesSeen(row, { role: input.seen })) throw new AppError('staff_changed')
    const { role } = input
    const from = roleOf(row)
    const staffViewer = { session: ctx.session, seesAddresses: true }
    if (from === role) return showSuperUser(row, staffViewer)
    await setRole(tx.db, row.no, { role, now: ctx.now() })
    const ended = await endAccess(ctx, tx, { accountNo: row.no, event: 'role' })
    const details = { from, to: role, ...ended }
    await tx.audit.add({ action: 'staff.role_changed', entity: row.id, details })
    await enqueueEmail(ctx, tx, { kind: 'role_changed', account: row })
    return showSuperUser({ ...row, role }, staffViewer)
  })
}

/**
 * Adds a colleague with a first password, which opens one session. They are told by email where to sign in;
 * the email does not contain the password.
 */
export async function addSuperUser(ctx: SignedIn, input: AddSuperUserInput): Promise<SuperUser> {
  const { email, role } = input
  const { id: sessionId, accountNo, userId } = ctx.session
  const hash = await hashNewPassword(ctx, input.password, { field: 'password', email })
  try {
    return await ctx.transaction(async (tx) => {
      await tx.attempts.take('staff_change', userId)
      // Serialises with a concurrent change of the actor's role or session.
      const actor = await lockActor(tx.db, { accountNo, sessionId })
      if (actor === undefined) throw new AppError('session_ended')
      if (actor.role !== 'superuser') throw new AppError('superusers_only')
      const account = await openStaffAccount(ctx, tx, { email, role, hash, isFirstPassword: true })
      await tx.audit.add({ action: 'staff.added', entity: account.id, details: { role } })
      await enqueueEmail(ctx, tx, { kind: 'staff_added', account })
      return showSuperUser(account, { session: ctx.session, seesAddresses: true })
    })
  } catch (error) {
    // A known address, or a concurrent request: the constraint covers both.
    if (isUniqueViolation(error)) throw new AppError('staff_known')
    throw error
  }
}

/**
 * Removes a colleague: their sessions end, their address is free again, and their actions stay in the audit
 * log under the id of their account.
 */
export async function removeSuperUser(ctx: SignedIn, input: RemoveSuperUserInput): Promise<Done> {
  const change = { id: input.id, path: 'superUsers.remove' }
  await changeStaff(ctx, change, async ({ tx, row }) => {
    if (!matchesSeen(row, input)) throw new AppError('staff_changed')
    const leaving = { accountNo: row.no, kind: 'staff_removed' } as const
    await closeAccountOf(ctx, tx, leaving)
    await eraseMessages(tx, { email: row.email, userId: row.id })
    await tx.outbox.add('account.erased', { userId: row.id })
    const details = { role: roleOf(row) }
    await tx.audit.add({ action: 'staff.removed', entity: row.id, details })
  })
  return { status: true }
}

/** Who is on the staff, with the addresses masked for roles that need not know them. */
export async function listSuperUsers(ctx: SignedIn & AsStaff): Promise<SuperUsers> {
  const { viewer, session } = ctx
  const staffViewer = { session, seesAddresses: seesAddresses(viewer.role) }
  const rows = await listStaff(ctx.database.db)
  return { users: rows.map((row) => showSuperUser(row, staffViewer)) }
}

type StaffViewer = { session: Pick<Session, 'accountNo'>; seesAddresses: boolean }

/** A staff row as shown to a colleague; the viewer's own address is never masked. */
function showSuperUser(row: StaffRow, staffViewer: StaffViewer): SuperUser {
  const isYou = row.no === staffViewer.session.accountNo
  return {
    id: UserId.parse(row.id),
    email: staffViewer.seesAddresses || isYou ? row.email : maskedEmail(row.email),
    role: roleOf(row),
    state: stateOf(row),
    isYou,
    addedAt: toIso(row.created_at),
  }
}

/**
 * Creates the first superuser of an installation through the link its server printed, and signs them in. Once
 * there is a member of staff, no such link works.
 */
export async function addFirst(ctx: Context, input: AddFirstInput): Promise<AddFirstResponse> {
  const token = ctx.secrets.mac('link', input.token)
  // Check before hashing, which is expensive.
  if (!(await isStartLink(ctx.database.db, token, ctx.now()))) {
    throw new AppError('start_link_invalid')
  }
  const hash = await hashNewPassword(ctx, input.new_password, {
    field: 'new_password',
    email: input.email,
  })
  const { account, session } = await ctx.transaction(async (tx) => {
    const alive = await useStartLinks(tx.db, ctx.now())
    if (!alive.includes(token) || !(await isWithoutStaff(tx.db))) {
      throw new AppError('start_link_invalid')
    }
    const opening = { email: input.email, role: 'superuser', hash, isFirstPassword: false } as const
    const opened = await openStaffAccount(ctx, tx, opening)
    const actor = { kind: 'staff', id: opened.id } as const
    await tx.audit.add({ action: 'staff.began', entity: opened.id, actor })
    return {
      account: opened,
      session: await openSession(ctx, tx, { account: opened, proved: true }),
    }
  })
  setSessionCookies(ctx, session)
  const steppedUpUntil = stepUpUntil(ctx.now())
  const me = await readMe(ctx, ctx.database.db, { accountNo: account.no, steppedUpUntil })
  return { status: true, me, ...tokensFor(ctx, session) }
}

type StartLinkContext = Pick<Services, 'database' | 'secrets' | 'now' | 'config'>

/**
 * The URL for the first superuser of an installation, or null when there is staff. Its token is in the
 * fragment, which browsers do not send and servers do not log.
 */
export async function makeStartLink(services: StartLinkContext): Promise<string | null> {
  const { database, secrets, now, config } = services
  const token = secrets.token()
  const isMade = await database.transaction(async (db) => {
    if (!(await isWithoutStaff(db))) return false
    const at = now()
    const hash = secrets.mac('link', token)
    await insertStartLink(db, {
      hash,
      created_at: at,
      expires_at: at + START_LINK_TTL_MS,
      used_at: null,
    })
    return true
  })
  return isMade ? `${config.publicUrl}/admin-start#${token}` : null
}
