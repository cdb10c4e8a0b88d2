import type { DataExport } from '#contract/profiles.ts'
import { toIso } from '#contract/time.ts'
import { exportAccessTokens } from '#server/access-tokens/manage-access-tokens.ts'
import { exportBankAccounts } from '#server/bank-accounts/change-bank-accounts.ts'
import type { SignedIn, Tx } from '#server/context.ts'
import { exportImports } from '#server/imports/import-rows.ts'
import { exportOutside } from '#server/outside-calendars/manage-outside.ts'
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
import { listFavouritesOf } from './favourite-store.ts'

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
    ...readable(await getProviderOf(db, no)),
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
  const { provider_no: providerNo, ...account } = await getAccountOf(db, accountNo)
  const all = (rows: Entry[]) => rows.map(readable)
  return {
    made_at: toIso(ctx.now()),
    account: readable(account),
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
    messages: all(await listMessagesFrom(db, account.email)),
    visits: all(await listBookingsOf(db, accountNo)),
    visit_changes: all(
      await listChangesOf(db, providerNo === null ? { patientNo: accountNo } : { providerNo }),
    ),
    payments: all(await listPaymentsOf(db, accountNo)),
    verification: all(providerNo === null ? [] : await listChecksOf(db, providerNo)),
    asked_for: all(providerNo === null ? [] : await listRequestsOf(db, providerNo)),
    registrant_proofs: all(providerNo === null ? [] : await listProofsOf(db, providerNo)),
    companies: all(providerNo === null ? [] : await listCompaniesOf(db, providerNo)),
    mails: all(await listMailsTo(db, { email: account.email, userId })),
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
