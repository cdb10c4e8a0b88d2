import type { Done } from '#contract/auth.ts'
import type { Consent, ConsentInput } from '#contract/profiles.ts'
import type { Context, Services } from '#server/context.ts'
import { deleteOldConsents, findConsent, upsertConsent } from './store.ts'

/** Saves a cookie banner choice under the id the browser generated. */
export async function saveConsent(ctx: Context, input: ConsentInput): Promise<Done> {
  await ctx.transaction((tx) =>
    upsertConsent(tx.db, {
      id: input.consentID,
      preferences: input.preferences,
      statistics: input.statistics,
      accountNo: ctx.session?.accountNo ?? null,
      now: ctx.now(),
    }),
  )
  return { status: true }
}

/** The choice saved under an id; null when there is none. */
export async function readConsent(ctx: Context, input: { consentID: string }): Promise<Consent> {
  const row = await findConsent(ctx.database.db, input.consentID)
  if (row === undefined) return null
  return { preferences: row.preferences === 1, statistics: row.statistics === 1 }
}

/** Half a year, after which people are asked again. */
const CONSENT_MS = 182 * 24 * 60 * 60_000

/** Deletes old choices of people without an account; those of accounts are deleted with them. */
export async function purgeConsents({ database, now }: Services): Promise<void> {
  await deleteOldConsents(database.db, now() - CONSENT_MS)
}
