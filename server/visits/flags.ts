import { ProviderId, UserId } from '#contract/base/ids.ts'
import { fullName, shownName } from '#contract/base/person-names.ts'
import { toIso } from '#contract/base/time.ts'
import {
  FLAGGED_PATIENT,
  FLAGGED_PROVIDER,
  type FlagCount,
  type Flagged,
  type FlaggedPatient,
  type FlaggedProvider,
  MAX_FLAGGED,
} from '#contract/visits-flags.ts'
import type { AsStaff } from '#server/context.ts'
import { cancelShare } from './rules.ts'
import { countStarted, listCancellingProviders, listFreeCancellers } from './store.ts'

async function patientsOf({ database: { db }, now }: AsStaff): Promise<FlaggedPatient[]> {
  const rows = await listFreeCancellers(db, {
    since: now() - FLAGGED_PATIENT.withinMs,
    least: FLAGGED_PATIENT.freeCancellations,
    limit: MAX_FLAGGED,
  })
  return rows.map((row) => ({
    id: UserId.parse(row.id),
    name: fullName(row.first_name, row.last_name),
    email: row.email,
    freeCancellations: Number(row.count),
    lastAt: toIso(row.last_at),
  }))
}

async function providersOf(ctx: AsStaff): Promise<FlaggedProvider[]> {
  const { db } = ctx.database
  const now = ctx.now()
  const since = now - FLAGGED_PROVIDER.withinMs
  const rows = await listCancellingProviders(db, since)
  const started = await countStarted(db, { providerNos: rows.map(({ no }) => no), since, now })
  return rows
    .flatMap((row): FlaggedProvider[] => {
      const cancelled = Number(row.own)
      const visits = Number(row.cancelled) + (started.get(row.no) ?? 0)
      const { percent, isFlagged } = cancelShare(cancelled, visits)
      if (!isFlagged) return []
      const { region, email } = row
      const lastAt = toIso(Number(row.last_at))
      const of = { region, email, cancelled, visits, percent, lastAt }
      return [{ id: ProviderId.parse(row.id), name: shownName(row), ...of }]
    })
    .toSorted((a, b) => b.cancelled - a.cancelled || b.percent - a.percent)
    .slice(0, MAX_FLAGGED)
}

/**
 * Patients and providers who cancel often, by `FLAGGED_PATIENT` and `FLAGGED_PROVIDER`, for staff to review:
 * flags have no effect. The access to their names is audited.
 */
export async function readFlagged(ctx: AsStaff): Promise<Flagged> {
  const [patients, providers] = await Promise.all([patientsOf(ctx), providersOf(ctx)])
  const rows = patients.length + providers.length
  if (rows > 0) await ctx.record({ action: 'visit.flags_read', details: { rows } })
  return { patients, providers }
}

/** Number of flagged accounts. */
export async function countFlagged(ctx: AsStaff): Promise<FlagCount> {
  const [patients, providers] = await Promise.all([patientsOf(ctx), providersOf(ctx)])
  return { accounts: patients.length + providers.length }
}
