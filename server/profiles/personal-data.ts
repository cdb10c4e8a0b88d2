import type { Done } from '#contract/base/done.ts'
import { toIso } from '#contract/base/time.ts'
import type { Consent, ConsentInput, DataExport } from '#contract/profiles.ts'
import { exportAccessTokens } from '#server/access-tokens/access-tokens.ts'
import { accountFates } from '#server/auth/accounts/account-columns.ts'
import { closeAccount } from '#server/auth/accounts/accounts.ts'
import { eraseRules } from '#server/availability/hours/save-hours.ts'
import { eraseBankAccounts, exportBankAccounts } from '#server/bank-accounts/bank-accounts.ts'
import type { Context, Services, SignedIn, Tx } from '#server/context.ts'
import { eraseImports, exportImports } from '#server/imports/import-rows.ts'
import { exportedPartOf } from '#server/kernel/personal-columns.ts'
import { eraseMessages } from '#server/messages/send-email.ts'
import {
  eraseOutsideCalendars,
  exportOutside,
} from '#server/outside-calendars/outside-calendars.ts'
import {
  getAccountOf,
  getHoursOf,
  getProviderOf,
  listActivityOf,
  listBookingsOf,
  listChangesOf,
  listChecksOf,
  listCompaniesOf,
  listConsentsOf,
  listContestedOf,
  listFeedsOf,
  listMailsTo,
  listMessagesFrom,
  listPaymentsOf,
  listPlacesOf,
  listProofsOf,
  listReminderSettingsOf,
  listRequestsOf,
  listSessionsOf,
} from './export-store.ts'
import { deleteFavouritesFor, deleteFavouritesOf, listFavouritesOf } from './favourite-store.ts'
import { providerFates } from './provider-columns.ts'
import {
  blankProvider,
  deleteConsentsOf,
  deleteOldConsents,
  findConsent,
  getDetails,
  upsertConsent,
} from './store.ts'

type Entry = Record<string, unknown>

const INSTANT = /^at$|_at$|_until$/

/** Formats instants for people; the rest of the row is unchanged. */
function readable(row: Entry): Entry {
  return Object.fromEntries(
    Object.entries(row).map(([key, value]) => [
      key,
      INSTANT.test(key) && typeof value === 'number' ? toIso(value) : value,
    ]),
  )
}

async function providerOf({ db }: Tx, no: number | null): Promise<Entry | null> {
  if (no === null) return null
  const { settings, ...times } = await getHoursOf(db, no)
  return {
    ...readable(exportedPartOf(await getProviderOf(db, no), providerFates)),
    places: await listPlacesOf(db, no),
    availability: { settings: settings === null ? null : readable(settings), ...times },
  }
}

async function contestedOf(ctx: SignedIn, tx: Tx): Promise<Entry[]> {
  const rows = await listContestedOf(tx.db, ctx.session.accountNo)
  return rows.map((row) => ({ ...row, words: ctx.secrets.open('claim', row.words) }))
}

async function collect(ctx: SignedIn, tx: Tx): Promise<DataExport> {
  const { accountNo, userId } = ctx.session
  const { db } = tx
  const account = await getAccountOf(db, accountNo)
  const { provider_no: providerNo } = account
  const all = (rows: Entry[]) => rows.map(readable)
  return {
    made_at: toIso(ctx.now()),
    account: readable({
      ...exportedPartOf(account, accountFates),
      // 0 means not accepted.
      terms_accepted_at: account.terms_accepted_at || null,
    }),
    provider: await providerOf(tx, providerNo),
    bank_accounts: providerNo === null ? [] : await exportBankAccounts(ctx, tx),
    sessions: all(await listSessionsOf(db, accountNo)),
    access_tokens: all(await exportAccessTokens(ctx, tx)),
    reminders: all(await listReminderSettingsOf(db, accountNo)),
    calendar_feeds: all(await listFeedsOf(db, accountNo)),
    outside_calendars: all(providerNo === null ? [] : await exportOutside(tx, providerNo)),
    imports: all(providerNo === null ? [] : await exportImports(tx, providerNo)),
    contested_visits: all(await contestedOf(ctx, tx)),
    consents: all(await listConsentsOf(db, accountNo)),
    favourites: all(await listFavouritesOf(db, accountNo)),
    messages: all(await listMessagesFrom(db, { email: account.email, userId })),
    visits: all(await listBookingsOf(db, accountNo)),
    visit_changes: all(
      await listChangesOf(db, providerNo === null ? { patientNo: accountNo } : { providerNo }),
    ),
    payments: all(await listPaymentsOf(db, accountNo)),
    verification: all(providerNo === null ? [] : await listChecksOf(db, providerNo)),
    asked_for: all(providerNo === null ? [] : await listRequestsOf(db, providerNo)),
    registrant_proofs: all(providerNo === null ? [] : await listProofsOf(db, providerNo)),
    companies: all(providerNo === null ? [] : await listCompaniesOf(db, providerNo)),
    mails: all(await listMailsTo(db, { accountNo, email: account.email, userId })),
    activity: all(await listActivityOf(db, userId)),
  }
}

/** Exports all data kept about the viewer. Needs a step-up. */
export async function exportData(ctx: SignedIn): Promise<DataExport> {
  return ctx.transaction(async (tx) => {
    await tx.attempts.take('export', ctx.session.userId)
    await tx.audit.add({ action: 'account.exported', entity: ctx.session.userId })
    return collect(ctx, tx)
  })
}

/**
 * Erases the viewer's personal data from account and profile, within the transaction of the erasure; what
 * others need stays without it. It cannot be undone. The last email about it goes to the former address.
 */
export async function erasePerson(ctx: SignedIn, tx: Tx): Promise<void> {
  const { accountNo, userId } = ctx.session
  const account = await closeAccount(ctx, tx)
  const details = await getDetails(tx.db, accountNo)
  await eraseMessages(tx, { email: account.email, userId })
  await deleteConsentsOf(tx.db, accountNo)
  await deleteFavouritesOf(tx.db, accountNo)
  const { provider_no: no, provider_id: id } = details
  if (no !== null && id !== null) {
    await eraseRules(tx.db, no)
    await eraseOutsideCalendars(tx, no)
    await eraseImports(tx, no)
    await eraseBankAccounts(tx, no)
    await deleteFavouritesFor(tx.db, no)
    await blankProvider(tx.db, { no, id }, ctx.now())
    await tx.outbox.add('provider.changed', { providerId: id })
  }
  await tx.outbox.add('account.erased', { userId })
  for (const path of [account.profile_image, details.photo]) {
    if (path !== null) await tx.outbox.add('picture.dropped', { path })
  }
  await tx.audit.add({ action: 'account.erased', entity: userId })
}

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
