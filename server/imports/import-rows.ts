import type { Done } from '#contract/base/done.ts'
import { ImportId } from '#contract/base/ids.ts'
import { DAY_MS, toIso } from '#contract/base/time.ts'
import {
  type AddRowsInput,
  type AddRowsResponse,
  type CheckRowsInput,
  type CheckRowsResponse,
  IMPORT_ROWS_MAX,
  type ImportRef,
  type ImportRow,
  type Imports,
  type Refused,
} from '#contract/imports.ts'
import type { Instant } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'
import {
  type ImportedTime,
  lockBusy,
  purgeImportedTimes,
  removeImportedTimes,
  writeImportedTimes,
} from '#server/availability/hours/busy-times.ts'
import { sealLabel } from '#server/availability/hours/hours-rules.ts'
import { getOwner } from '#server/availability/hours/read-availability.ts'
import {
  type AsProvider,
  type Context,
  lockOwnAccount,
  type Services,
  type Tx,
} from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { validateRow } from './rules.ts'
import {
  deleteEmptyImports,
  deleteImport,
  deleteImportsOf,
  insertImport,
  listHolders,
  listImports,
  listPlaces,
  listVisits,
} from './store.ts'

type Owner = Awaited<ReturnType<typeof getOwner>>

/** A row that can be imported, and the zone of its place. */
type ValidRow = ImportedTime & { line: number; timeZone: string }

/** Replaces control and formatting characters, which could hide or reorder a label's text. */
function cleanText(text: string): string {
  return text
    .replaceAll(/[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .slice(0, 200)
}

/** Identifies a row when it is imported again: its own id, or otherwise its times and label. */
function keyOf(row: ImportRow, { start, end }: { start: Instant; end: Instant }): string {
  const id = row.externalId.trim()
  return id === '' ? `row ${start} ${end} ${row.label.trim()}` : `id ${id}`
}

async function validateRows(
  ctx: Context,
  db: Db,
  { owner, input }: { owner: Owner; input: CheckRowsInput },
): Promise<{ good: ValidRow[]; refused: Refused[] }> {
  const now = ctx.now()
  const context = {
    dates: input.dates,
    now,
    places: await listPlaces(db, owner.no),
    visits: await listVisits(db, owner.no, now),
  }
  const good = new Map<string, ValidRow>()
  const refused: Refused[] = []
  for (const row of input.rows) {
    const times = validateRow(row, context)
    if (typeof times === 'string') {
      refused.push({ line: row.line, why: times })
      continue
    }
    const key = ctx.secrets.mac('busy', `${owner.id} ${keyOf(row, times)}`)
    if (good.has(key)) {
      refused.push({ line: row.line, why: 'repeated' })
      continue
    }
    const label = cleanText(row.label)
    const sealed = label === '' ? null : sealLabel(ctx, owner.no, label)
    good.set(key, { ...times, line: row.line, key, label: sealed })
  }
  return { good: [...good.values()], refused }
}

/** Maximum number of imported appointments of one provider: slots are made around all of them. */
const IMPORTED_MAX = 20_000

type Added = {
  owner: Owner
  known: Awaited<ReturnType<typeof listImports>>
  /** The import they are added to; null for a new one. */
  importId: string | null
  good: readonly ValidRow[]
}

/** Refuses rows beyond the limits of an import and of a provider; those that replace others need no room. */
async function assertRoom(db: Db, { owner, known, importId, good }: Added): Promise<void> {
  const keys = good.map(({ key }) => key)
  const holders = await listHolders(db, owner.no, keys)
  const countAfter = (isCounted: (id: string | null) => boolean): number => {
    const rows = known.filter(({ id }) => isCounted(id)).map((one) => one.rows ?? 0)
    return rows.reduce((sum, one) => sum + one, good.length) - holders.filter(isCounted).length
  }
  if (countAfter((id) => id === importId) > IMPORT_ROWS_MAX) throw new AppError('import_full')
  if (countAfter(() => true) > IMPORTED_MAX) throw new AppError('imports_full')
}

/** Checks which rows can be imported, and why others cannot; writes nothing. */
export async function checkRows(
  ctx: AsProvider,
  input: CheckRowsInput,
): Promise<CheckRowsResponse> {
  const { db } = ctx.database
  const owner = await getOwner(ctx, db)
  const { good, refused } = await validateRows(ctx, db, { owner, input })
  const [first] = good
  return {
    good: good.length,
    first:
      first === undefined
        ? null
        : {
            line: first.line,
            startsAt: toIso(first.start),
            endsAt: toIso(first.end),
            timeZone: first.timeZone,
          },
    refused,
  }
}

/**
 * Imports a batch of rows as blocked times, in one transaction: no account, no money, no emails. A row
 * imported before is replaced; an import left without rows by that is deleted.
 */
export function importRows(ctx: AsProvider, input: AddRowsInput): Promise<AddRowsResponse> {
  return ctx.transaction(async (tx) => {
    const { db } = tx
    const now = ctx.now()
    await lockOwnAccount(ctx, tx)
    const owner = await getOwner(ctx, db)
    await lockBusy(db, owner.no)
    await tx.attempts.take('import_batch', owner.id)
    const known = await listImports(db, owner.no)
    const before = known.find(({ id }) => id === input.importId)
    if (input.importId !== null && before === undefined) throw new AppError('not_found')
    const { good, refused } = await validateRows(ctx, db, { owner, input })
    await assertRoom(db, { owner, known, importId: input.importId, good })
    if (good.length === 0) return { importId: input.importId, added: 0, updated: 0, refused }
    const importId = input.importId ?? ImportId.parse(ctx.newId('imp'))
    if (before === undefined) {
      const name = cleanText(input.name)
      await insertImport(db, { id: importId, provider_no: owner.no, name, created_at: now })
    }
    const which = { providerNo: owner.no, importId }
    const updated = await writeImportedTimes(db, which, { times: good, now })
    await deleteEmptyImports(db, owner.no)
    await tx.outbox.add('provider.changed', { providerId: owner.id })
    const added = good.length - updated
    await tx.audit.add({
      action: 'import.rows_added',
      entity: importId,
      details: { added, updated, refused: refused.length },
    })
    return { importId, added, updated, refused }
  })
}

/** The viewer's imports that still have rows, the newest first. */
export async function readImports(ctx: AsProvider): Promise<Imports> {
  const { db } = ctx.database
  const owner = await getOwner(ctx, db)
  return (await listImports(db, owner.no)).map((row) => ({
    id: ImportId.parse(row.id),
    name: row.name,
    createdAt: toIso(row.created_at),
    rows: row.rows ?? 0,
  }))
}

/** Undoes an import: the times of its appointments are offered again. */
export async function removeImport(ctx: AsProvider, { id }: ImportRef): Promise<Done> {
  await ctx.transaction(async (tx) => {
    const { db } = tx
    const owner = await getOwner(ctx, db)
    await lockBusy(db, owner.no)
    const known = await listImports(db, owner.no)
    if (!known.some((one) => one.id === id)) throw new AppError('not_found')
    await removeImportedTimes(db, { providerNo: owner.no, importId: id }, ctx.now())
    await deleteImport(db, id)
    await tx.outbox.add('provider.changed', { providerId: owner.id })
    await tx.audit.add({ action: 'import.removed', entity: id })
  })
  return { status: true }
}

/** How long imported appointments are kept after they end. */
const RETENTION_MS = 30 * DAY_MS

/** Deletes appointments that ended a month ago, and imports left without any. */
export async function purgeImports({ database, now }: Services): Promise<void> {
  await database.transaction(async (db) => {
    await purgeImportedTimes(db, now() - RETENTION_MS)
    await deleteEmptyImports(db, null)
  })
}

/** Deletes the imports of a provider whose account is erased, after their busy times, in the same transaction. */
export async function eraseImports(tx: Tx, providerNo: number): Promise<void> {
  await deleteImportsOf(tx.db, providerNo)
}

/** A provider's imports for the data export; their appointments are in a separate file. */
export async function exportImports(
  tx: Tx,
  providerNo: number,
): Promise<Record<string, unknown>[]> {
  const rows = await listImports(tx.db, providerNo)
  return rows.map(({ name, created_at, rows: appointments }) => ({
    name,
    created_at,
    appointments,
  }))
}
