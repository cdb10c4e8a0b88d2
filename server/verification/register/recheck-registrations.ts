import { ProfessionalBody } from '#contract/base/people.ts'
import { fullName } from '#contract/base/person-names.ts'
import { verificationLife } from '#contract/life-cycles/verification.ts'
import type { LossReason } from '#contract/verification.ts'
import { isDatabaseDown } from '#db/failures.ts'
import { type Context, type Services, systemContext } from '#server/context.ts'
import type { RegisterAnswer } from '#server/gateways/registers.ts'
import { UpstreamError } from '#server/kernel/errors.ts'
import { markUnverified } from '#server/profiles/mark-verified.ts'
import {
  compare,
  isRegisterInDoubt,
  judgeNightlyCheck,
  nextNight,
  POSTPONE_MS,
} from '#server/verification/rules.ts'
import {
  type Due,
  insertCheck,
  listDue,
  lockClaimant,
  postponeDue,
  updateRegistrationStatuses,
} from '#server/verification/store.ts'
import { makeCheck } from './read-registration-status.ts'

/** Small enough that querying the table does not block other work. */
const BATCH = 40

type QueriedProvider = { due: Due; answer: RegisterAnswer | null }

/** Number of failed look-ups in a row after which the register counts as down. */
const DOWN_AFTER = 3

type Queried = { answered: QueriedProvider[]; unanswered: Due[] }

/**
 * Looks the providers up, until the register counts as down. One number that the register cannot look up must not keep
 * the others from being checked.
 */
async function queryAll(ctx: Context, list: Due[]): Promise<Queried> {
  const answered: QueriedProvider[] = []
  const unanswered: Due[] = []
  let failuresInRow = 0
  for (const due of list) {
    try {
      const options = { isFresh: true }
      const answer = await ctx.registers.lookUp(due.body, due.membership_number, options)
      answered.push({ due, answer })
      failuresInRow = 0
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error
      ctx.log.warn(
        { err: error, body: due.body, providerId: due.id },
        'a register does not respond',
      )
      unanswered.push(due)
      failuresInRow += 1
      if (failuresInRow === DOWN_AFTER) break
    }
  }
  return { answered, unanswered }
}

type Recheck = { due: Due; answer: RegisterAnswer | null; now: number }

function checkOf(ctx: Context, { due, answer, now }: Recheck) {
  const making = { kind: 'recheck', at: now, actor_kind: 'system', actor_id: null } as const
  return makeCheck(due, answer, { id: ctx.newId('chk'), ...making })
}

/** Hides a provider and queues the emails about it; existing bookings remain. */
async function revokeStatus(ctx: Context, recheck: Recheck, because: LossReason): Promise<void> {
  const { due, now } = recheck
  const check = { ...checkOf(ctx, recheck), reason: because }
  await ctx.transaction(async (tx) => {
    const isOurs = await markUnverified(tx, due, now)
    const state = { checked_at: now, due_at: null, doubt_since: null }
    if (!isOurs) {
      await updateRegistrationStatuses(tx.db, [due.no], state)
      return
    }
    await insertCheck(tx.db, check)
    await updateRegistrationStatuses(tx.db, [due.no], {
      ...state,
      state: verificationLife.to('lose'),
      reason: because,
      since: now,
      is_match: 0,
      asked_at: now,
    })
    await tx.outbox.add('verification.lost', { checkId: check.id })
    await tx.audit.add({
      action: 'verification.lost',
      entity: due.id,
      actor: { kind: 'system', id: null },
      details: { body: due.body, because },
    })
  })
}

/** Records that the register no longer confirms a claim; the next night decides. */
async function recordDoubt(ctx: Context, recheck: Recheck): Promise<void> {
  const { due, now } = recheck
  await ctx.transaction(async (tx) => {
    // The look-ups take a while: an account erased meanwhile must not get its name and number back.
    const { verification_status: status } = await lockClaimant(tx.db, due.id)
    if (status !== 'Verified') return
    if (due.doubt_since === null) await insertCheck(tx.db, checkOf(ctx, recheck))
    await updateRegistrationStatuses(tx.db, [due.no], {
      checked_at: now,
      due_at: nextNight(now),
      doubt_since: due.doubt_since ?? now,
    })
  })
}

function judge({ due, answer }: QueriedProvider, now: number) {
  const name = fullName(due.first_name, due.last_name)
  const claim = { name, registration_number: due.membership_number }
  const verdict = compare(claim, answer)
  const standing = answer?.standing ?? null
  return judgeNightlyCheck({ verdict, standing, doubtSince: due.doubt_since }, now)
}

/**
 * Applies one result; true if it succeeded. A provider for whom it fails stays due and does not block the
 * others.
 */
async function applyResult(
  ctx: Context,
  recheck: Recheck,
  found: LossReason | 'doubt',
): Promise<boolean> {
  try {
    await (found === 'doubt' ? recordDoubt(ctx, recheck) : revokeStatus(ctx, recheck, found))
    return true
  } catch (error) {
    if (isDatabaseDown(error)) throw error
    ctx.log.error({ err: error, providerId: recheck.due.id }, 'a nightly check failed')
    return false
  }
}

/** Concludes nothing about anyone: their checks are due again in an hour. */
async function postpone(ctx: Context, body: ProfessionalBody): Promise<number> {
  const now = ctx.now()
  await ctx.transaction((tx) => postponeDue(tx.db, body, { now, until: now + POSTPONE_MS }))
  return 0
}

/** Rechecks some of a register's Verified providers; returns how many were completed. */
async function recheckSome(ctx: Context, body: ProfessionalBody, limit: number): Promise<number> {
  const now = ctx.now()
  const list = await listDue(ctx.database.db, body, { now, limit })
  // Providers who are no longer Verified need no nightly check.
  const over = list.filter((due) => due.verification_status !== 'Verified')
  if (over.length > 0) {
    const nos = over.map((due) => due.no)
    await ctx.transaction((tx) => updateRegistrationStatuses(tx.db, nos, { due_at: null }))
  }
  const { answered, unanswered } = await queryAll(
    ctx,
    list.filter((due) => due.verification_status === 'Verified'),
  )
  if (unanswered.length > 0) {
    const nos = unanswered.map((due) => due.no)
    // Behind all others, even if the register is down and those are postponed too.
    const later = { due_at: now + 2 * POSTPONE_MS }
    await ctx.transaction((tx) => updateRegistrationStatuses(tx.db, nos, later))
    if (answered.length === 0) return postpone(ctx, body)
  }
  const judged = answered.map((one) => ({ ...one, now, found: judge(one, now) }))
  const failed = judged.filter(({ found }) => found !== 'fine').length
  const asked = answered.length
  if (isRegisterInDoubt({ asked, failed })) {
    ctx.log.error({ body, asked, failed }, 'a register gives implausible responses')
    return postpone(ctx, body)
  }
  const confirmed = judged.filter(({ found }) => found === 'fine').map(({ due }) => due.no)
  await ctx.transaction((tx) =>
    updateRegistrationStatuses(tx.db, confirmed, {
      checked_at: now,
      due_at: nextNight(now),
      doubt_since: null,
    }),
  )
  let failedCount = 0
  for (const { found, ...recheck } of judged) {
    if (found !== 'fine' && !(await applyResult(ctx, recheck, found))) failedCount += 1
  }
  return asked + over.length - failedCount
}

/**
 * Rechecks Verified providers whose nightly check is due, longest waiting first. Providers who are no longer
 * in good standing are hidden and notified; while a register is down nothing is concluded, and a number
 * missing from it counts only on the second night.
 */
export async function recheckRegistrations(
  services: Services,
  signal?: AbortSignal,
): Promise<void> {
  const ctx = systemContext(services, 'recheck')
  for (const body of ProfessionalBody.options) {
    const pace = ctx.registers.paceOf(body)
    if (pace !== null) {
      // An external register gets one batch per run, so that its response times do not delay the other
      // registers.
      await recheckSome(ctx, body, pace)
      continue
    }
    await ctx.background.drain(BATCH, () => recheckSome(ctx, body, BATCH), signal)
  }
}
