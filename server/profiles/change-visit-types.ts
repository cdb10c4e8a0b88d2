import type { AuditAction } from '#contract/audit-actions.ts'
import {
  type ArchiveVisitTypeInput,
  MAX_VISIT_TYPES,
  type OrderVisitTypesInput,
  type OwnProfile,
  type SaveVisitTypeInput,
} from '#contract/profiles-own.ts'
import type { Db } from '#db/engine.ts'
import type { Provider } from '#db/tables/profiles.ts'
import { listTypes, type TypeRow } from '#server/availability/slots/free-times.ts'
import type { AsProvider, Tx } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { changeOwn } from './own-profile.ts'
import { listOwnPlaces } from './own-profile-store.ts'
import { isBookableIn, modesOf } from './rules.ts'
import { insertVisitType, updateVisitType } from './store.ts'
import { applyTypeChanges } from './visit-types.ts'

type Change = {
  action: AuditAction
  /** `all` are the provider's types in their order, archived ones among them. */
  work: (tx: Tx, of: { provider: Provider; all: readonly TypeRow[] }) => Promise<void>
}

const isOpen = (type: TypeRow) => type.archived_at === null

function changeTypes(ctx: AsProvider, { action, work }: Change): Promise<OwnProfile> {
  return changeOwn(ctx, {
    action,
    work: async (tx, provider) => {
      const all = await listTypes(tx.db, provider.no, true)
      await work(tx, { provider, all })
      const before = all.filter(isOpen)
      await applyTypeChanges(tx.db, { providerNo: provider.no, before, now: ctx.now() })
      await assertFirstBookable(tx.db, provider, before)
    },
  })
}

/** Refuses to put a type first that nobody can book: search results would show its fee and times. */
async function assertFirstBookable(
  db: Db,
  provider: Provider,
  before: readonly TypeRow[],
): Promise<void> {
  const [first] = await listTypes(db, provider.no)
  if (first === undefined || first.no === before[0]?.no) return
  if (isBookableIn(modesOf(provider), first)) return
  throw new AppError('visit_type_unfit')
}

function nextPosition(all: readonly TypeRow[]): number {
  return Math.max(-1, ...all.map(({ position }) => position)) + 1
}

function assertBelowLimit(all: readonly TypeRow[]): void {
  if (all.filter(isOpen).length < MAX_VISIT_TYPES) return
  throw new AppError('too_many_visit_types', { max: MAX_VISIT_TYPES })
}

function assertMode(provider: Provider, { mode }: SaveVisitTypeInput): void {
  if (mode === 'both' || modesOf(provider).includes(mode)) return
  const message =
    mode === 'video'
      ? 'Offer video under “Fees and visits” first, or choose another way.'
      : 'Offer visits in person under “Fees and visits” first, or choose another way.'
  throw new AppError('invalid_input', {}, { issues: [{ path: 'mode', message }] })
}

/** The number of one of the provider's places; null for every place. */
async function placeNoOf(
  db: Db,
  of: { providerNo: number; placeId: string | null; now: number },
): Promise<number | null> {
  if (of.placeId === null) return null
  const places = await listOwnPlaces(db, of.providerNo, of.now)
  const place = places.find(({ id }) => id === of.placeId)
  if (place === undefined) throw new AppError('not_found')
  return place.no
}

/**
 * Adds or changes a type of visit. Visits held or booked keep their name, length and price. When the length
 * of the shortest type changes, free slots are generated again. Throws `not_found` for a type or a place that
 * is not the viewer's, `visit_type_unfit` for a first type not offered everywhere.
 */
export function saveVisitType(ctx: AsProvider, input: SaveVisitTypeInput): Promise<OwnProfile> {
  const { typeId, placeId } = input
  return changeTypes(ctx, {
    action: typeId === undefined ? 'profile.visit_type_added' : 'profile.visit_type_changed',
    work: async (tx, { provider, all }) => {
      assertMode(provider, input)
      const row = {
        name: input.name,
        minutes: input.minutes,
        first_minor: input.amount,
        follow_minor: input.follow_amount,
        mode: input.mode,
        place_no: await placeNoOf(tx.db, { providerNo: provider.no, placeId, now: ctx.now() }),
      }
      if (typeId !== undefined) {
        await updateVisitType(tx.db, findOpen(all, typeId).no, row)
        return
      }
      assertBelowLimit(all)
      await insertVisitType(tx.db, {
        ...row,
        id: ctx.newId('vtp'),
        provider_no: provider.no,
        position: nextPosition(all),
      })
    },
  })
}

function findOpen(all: readonly TypeRow[], typeId: string): TypeRow {
  const type = all.find((one) => one.id === typeId && isOpen(one))
  if (type === undefined) throw new AppError('not_found')
  return type
}

/** Reorders the viewer's types; throws `changed_meanwhile` when the set of types has changed. */
export function orderVisitTypes(ctx: AsProvider, input: OrderVisitTypesInput): Promise<OwnProfile> {
  return changeTypes(ctx, {
    action: 'profile.visit_types_ordered',
    work: async (tx, { all }) => {
      const open = all.filter(isOpen)
      const named = new Set(input.typeIds)
      const isSame = named.size === open.length && open.every(({ id }) => named.has(id))
      if (!isSame || input.typeIds.length !== open.length) throw new AppError('changed_meanwhile')
      for (const [position, id] of input.typeIds.entries()) {
        await updateVisitType(tx.db, findOpen(all, id).no, { position })
      }
    },
  })
}

/**
 * Archives a type of visit, or offers an archived one again. Booked visits stay. The last one cannot be
 * archived, nor one whose successor as the first could not be booked (`visit_type_unfit`).
 */
export function archiveVisitType(
  ctx: AsProvider,
  input: ArchiveVisitTypeInput,
): Promise<OwnProfile> {
  const { typeId, isArchived } = input
  return changeTypes(ctx, {
    action: isArchived ? 'profile.visit_type_archived' : 'profile.visit_type_restored',
    work: async (tx, { all }) => {
      const type = all.find(({ id }) => id === typeId)
      if (type === undefined) throw new AppError('not_found')
      if (isOpen(type) === !isArchived) return
      if (!isArchived) assertBelowLimit(all)
      await updateVisitType(
        tx.db,
        type.no,
        isArchived
          ? { archived_at: ctx.now() }
          : { archived_at: null, position: nextPosition(all) },
      )
    },
  })
}
