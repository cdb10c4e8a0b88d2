import {
  type AddBankAccountInput,
  type BankAccount,
  type BankAccountRef,
  type BankAccounts,
  type EditBankAccountInput,
  MAX_BANK_ACCOUNTS,
  maskedNumber,
} from '#contract/bank-accounts.ts'
import type { Done } from '#contract/base/done.ts'
import { BankAccountId } from '#contract/base/ids.ts'
import { toIso } from '#contract/base/time.ts'
import { toFlag } from '#db/columns.ts'
import { type Db, lockRows } from '#db/engine.ts'
import { lockOwnAccount, type Services, type SignedIn, type Tx } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import type { OutboxJob, OutboxPayloads } from '#server/kernel/outbox-topics.ts'
import { sendEmail } from '#server/messages/send-email.ts'
import type { EmailContent } from '#server/messages/templates.ts'
import { assertRegion, formatCode, nextPrimary } from './rules.ts'
import { fingerprintOf, type Numbers, openNumbers, sealNumbers } from './seal-numbers.ts'
import {
  deleteAllOf,
  deleteRow,
  findAddressee,
  getOwner,
  insertRow,
  listOf,
  type Owner,
  type Row,
  setPrimary,
  updateRow,
} from './store.ts'

/** The state a change begins with: the owner and all their accounts, the primary one first. */
type AccountsChange = { tx: Tx; owner: Owner; list: Row[] }

/**
 * Runs a change of the viewer's accounts in one transaction. Changes of one provider are serialised, so
 * `list` stays current until the change is done.
 */
async function changeBankAccounts<Answer>(
  ctx: SignedIn,
  work: (changing: AccountsChange) => Promise<Answer>,
): Promise<Answer> {
  return ctx.transaction(async (tx) => {
    await lockOwnAccount(ctx, tx)
    const owner = await getOwner(tx.db, ctx.session.accountNo)
    await lockRows(tx.db, 'providers', [owner.no])
    await tx.attempts.take('bank_change', owner.user_id)
    return work({ tx, owner, list: await listOf(tx.db, owner.no) })
  })
}

/** The sort code or routing number of a form. */
function codeOf(input: AddBankAccountInput | EditBankAccountInput): string {
  return input.region === 'uk' ? input.sort_code : input.routing_number
}

type NewBankAccount = { input: AddBankAccountInput; numbers: Numbers; fingerprint: string }

async function insert(
  ctx: SignedIn,
  changing: AccountsChange,
  adding: NewBankAccount,
): Promise<Row> {
  const { tx, owner, list } = changing
  const { input, numbers, fingerprint } = adding
  const now = ctx.now()
  const id = ctx.newId('bnk')
  const { sealed, keyId } = sealNumbers(ctx, { id, providerId: owner.id }, numbers)
  const row = await insertRow(tx.db, {
    id,
    provider_no: owner.no,
    name: input.name,
    account_type: input.region === 'usa' ? input.account_type : null,
    sealed,
    key_id: keyId,
    fingerprint,
    add_key: input.key,
    is_primary: toFlag(list.length === 0),
    version: 1,
    created_at: now,
    updated_at: now,
  })
  await enqueueNotice(ctx, changing, { what: 'added', row })
  await tx.audit.add({ action: 'bank.added', entity: id })
  return row
}

/** Adds an account; the first is the primary one. A form that is submitted twice adds it once. */
export async function addBankAccount(
  ctx: SignedIn,
  input: AddBankAccountInput,
): Promise<BankAccount> {
  return changeBankAccounts(ctx, async (changing) => {
    const { owner, list } = changing
    assertRegion(input.region, owner.region)
    const numbers = { code: codeOf(input), number: input.account_number }
    const fingerprint = fingerprintOf(ctx, owner.id, numbers)
    const same = list.find(({ add_key }) => add_key === input.key)
    if (same !== undefined) {
      if (same.fingerprint !== fingerprint) throw new AppError('key_reused')
      return showBankAccount(ctx, same, owner)
    }
    if (list.some((row) => row.fingerprint === fingerprint)) {
      throw new AppError('bank_account_known')
    }
    if (list.length >= MAX_BANK_ACCOUNTS) throw new AppError('bank_accounts_full')
    return showBankAccount(ctx, await insert(ctx, changing, { input, numbers, fingerprint }), owner)
  })
}

/** One of the accounts by its id; another provider's is refused like one that does not exist. */
function pickOwn({ list }: AccountsChange, id: string): Row {
  const row = list.find((one) => one.id === id)
  if (row === undefined) throw new AppError('bank_account_not_found')
  return row
}

/** Runs a change and audits a refusal because the account is not the viewer's. */
async function auditForeignAccount<Answer>(
  ctx: SignedIn,
  path: string,
  change: () => Promise<Answer>,
): Promise<Answer> {
  try {
    return await change()
  } catch (error) {
    if (error instanceof AppError && error.code === 'bank_account_not_found') {
      const details = { code: 'not_found' }
      await ctx.record({ action: 'call.denied', outcome: 'denied', entity: path, details })
    }
    throw error
  }
}

async function update(
  ctx: SignedIn,
  changing: AccountsChange,
  { input, before }: { input: EditBankAccountInput; before: Row },
): Promise<Row> {
  const { tx, owner, list } = changing
  const stored = openNumbers(ctx, before, owner.id)
  const numbers = {
    code: codeOf(input),
    number: input.account_number ?? stored.number,
  }
  const fingerprint = fingerprintOf(ctx, owner.id, numbers)
  if (list.some((row) => row.no !== before.no && row.fingerprint === fingerprint)) {
    throw new AppError('bank_account_known')
  }
  const account_type = input.region === 'usa' ? input.account_type : null
  const isSame =
    fingerprint === before.fingerprint &&
    input.name === before.name &&
    account_type === before.account_type
  if (isSame) return before
  const { sealed, keyId } = sealNumbers(ctx, { id: before.id, providerId: owner.id }, numbers)
  const row = await updateRow(tx.db, before.no, {
    name: input.name,
    account_type,
    sealed,
    key_id: keyId,
    fingerprint,
    version: before.version + 1,
    updated_at: ctx.now(),
  })
  await enqueueNotice(ctx, changing, { what: 'edited', row })
  await tx.audit.add({ action: 'bank.edited', entity: row.id })
  return row
}

/** Changes an account, given the version last seen; without a number the stored one is kept. */
export async function editBankAccount(
  ctx: SignedIn,
  input: EditBankAccountInput,
): Promise<BankAccount> {
  return auditForeignAccount(ctx, 'bankAccounts.edit', () =>
    changeBankAccounts(ctx, async (changing) => {
      const { owner } = changing
      const before = pickOwn(changing, input.id)
      assertRegion(input.region, owner.region)
      if (before.version !== input.version) throw new AppError('bank_account_changed')
      return showBankAccount(ctx, await update(ctx, changing, { input, before }), owner)
    }),
  )
}

/** Makes one of the viewer's accounts the primary one; nothing happens when it is. */
export async function makePrimary(ctx: SignedIn, input: BankAccountRef): Promise<Done> {
  await auditForeignAccount(ctx, 'bankAccounts.makePrimary', () =>
    changeBankAccounts(ctx, async (changing) => {
      const { tx, owner } = changing
      const row = pickOwn(changing, input.id)
      if (row.is_primary === 1) return
      await setPrimary(tx.db, { providerNo: owner.no, no: row.no, now: ctx.now() })
      await enqueueNotice(ctx, changing, { what: 'primary', row })
      await tx.audit.add({ action: 'bank.primary_set', entity: row.id })
    }),
  )
  return { status: true }
}

/** Deletes an account, never the last one. Deleting the primary one makes the oldest other primary. */
export async function removeBankAccount(ctx: SignedIn, input: BankAccountRef): Promise<Done> {
  await auditForeignAccount(ctx, 'bankAccounts.remove', () =>
    changeBankAccounts(ctx, async (changing) => {
      const { tx, owner, list } = changing
      const row = pickOwn(changing, input.id)
      if (list.length === 1) throw new AppError('bank_account_last')
      const newPrimary = nextPrimary(list, row)
      await enqueueNotice(ctx, changing, { what: 'deleted', row })
      await deleteRow(tx.db, row.no)
      await tx.audit.add({ action: 'bank.deleted', entity: row.id })
      if (newPrimary === null) return
      await setPrimary(tx.db, { providerNo: owner.no, no: newPrimary.no, now: ctx.now() })
      await enqueueNotice(ctx, changing, { what: 'primary', row: newPrimary })
      await tx.audit.add({ action: 'bank.primary_set', entity: newPrimary.id })
    }),
  )
  return { status: true }
}

/** The viewer's accounts, masked. Reading them is audited. */
export async function listBankAccounts(ctx: SignedIn): Promise<BankAccounts> {
  const { db } = ctx.database
  const owner = await getOwner(db, ctx.session.accountNo)
  const rows = await listOf(db, owner.no)
  if (rows.length > 0) {
    const details = { accounts: rows.length }
    await ctx.record({ action: 'bank.viewed', entity: owner.id, details })
  }
  return { region: owner.region, accounts: rows.map((row) => showBankAccount(ctx, row, owner)) }
}

/** An account as shown to its owner: the only way a row reaches a client. */
function showBankAccount(
  services: Pick<Services, 'vault'>,
  row: Row,
  owner: Pick<Owner, 'id' | 'region'>,
): BankAccount {
  const { code, number } = openNumbers(services, row, owner.id)
  return {
    id: BankAccountId.parse(row.id),
    name: row.name,
    account_number: maskedNumber(number),
    is_primary: row.is_primary === 1,
    bank_code: formatCode(code, owner.region),
    account_type: row.account_type,
    version: row.version,
    added_at: toIso(row.created_at),
  }
}

/** Whether a provider has any bank account; their details are not read. */
export async function hasBankAccount(db: Db, providerNo: number): Promise<boolean> {
  return (await listOf(db, providerNo)).length > 0
}

/** Deletes all accounts of a provider, in the transaction that erases them. */
export async function eraseBankAccounts(tx: Tx, providerNo: number): Promise<void> {
  await deleteAllOf(tx.db, providerNo)
}

/** The viewer's accounts for the data export, masked as everywhere. */
export async function exportBankAccounts(
  ctx: SignedIn,
  tx: Tx,
): Promise<Record<string, unknown>[]> {
  const owner = await getOwner(tx.db, ctx.session.accountNo)
  const rows = await listOf(tx.db, owner.no)
  return rows.map((row) => {
    const { version: _, ...shown } = showBankAccount(ctx, row, owner)
    return shown
  })
}

/** Emails a provider about a change of a bank account, unless they have erased their own account since. */
export async function deliverNotice(
  services: Services,
  job: OutboxJob<'bank.changed'>,
): Promise<void> {
  const { config, database, secrets } = services
  const addressee = await findAddressee(database.db, job.userId)
  if (addressee === undefined) return
  const content = noticeEmail(job.what, {
    firstName: addressee.first_name,
    account: secrets.open('mail', job.account),
    site: config.publicUrl,
    supportEmail: config.supportEmail,
  })
  await sendEmail(services, {
    topic: 'bank.changed',
    deliveryId: job.deliveryId,
    to: addressee.email,
    userId: addressee.id,
    secrets: [],
    content,
  })
}

/**
 * Enqueues an email to the owner about a change, in its transaction. The masked account goes along, because
 * it may be deleted by then; encrypted, because the outbox is a table like any other.
 */
async function enqueueNotice(
  ctx: SignedIn,
  { tx, owner }: AccountsChange,
  about: { what: NoticeKind; row: Row },
): Promise<void> {
  const { number } = openNumbers(ctx, about.row, owner.id)
  await tx.outbox.add('bank.changed', {
    what: about.what,
    userId: owner.user_id,
    account: ctx.secrets.seal('mail', `${about.row.name}, ${maskedNumber(number)}`),
  })
}

/** The change of a bank account an email is about. */
type NoticeKind = OutboxPayloads['bank.changed']['what']

const noticeTexts: Record<NoticeKind, { heading: string; text: string }> = {
  added: {
    heading: 'A bank account was added',
    text: 'A bank account was added to your profile.',
  },
  edited: {
    heading: 'A bank account was changed',
    text: 'The details of a bank account on your profile were changed.',
  },
  deleted: {
    heading: 'A bank account was deleted',
    text: 'A bank account was deleted from your profile.',
  },
  primary: {
    heading: 'Your primary bank account was changed',
    text: 'A different bank account is now your primary one.',
  },
}

type NoticeFacts = {
  firstName: string
  /** Name and masked number. */
  account: string
  site: string
  supportEmail: string
}

/** The email about a change of a bank account. */
function noticeEmail(what: NoticeKind, facts: NoticeFacts): EmailContent {
  const { heading, text } = noticeTexts[what]
  return {
    heading,
    blocks: [
      { kind: 'paragraph', text: `Hello ${facts.firstName},\n${text}` },
      { kind: 'facts', rows: [['Account', facts.account]] },
      { kind: 'link', label: 'See your bank accounts', url: `${facts.site}/doctor/bank-account` },
      {
        kind: 'small',
        text: `If this wasn’t you, reset your password now at ${facts.site}/sign-in and write to ${facts.supportEmail}.`,
      },
    ],
  }
}
