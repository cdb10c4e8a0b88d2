import type { OfferedVisitTypes, OwnVisitType, VisitTypesInput } from '#contract/profiles-own.ts'
import type { OfferedVisitType } from '#contract/search.ts'
import type { Instant } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'
import type { ProviderRow } from '#db/tables/profiles.ts'
import { regenerateSlots } from '#server/availability/slots/extend-slots.ts'
import { listTypes, type TypeRow } from '#server/availability/slots/free-times.ts'
import type { Context } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { updateOwnProvider } from './own-profile-store.ts'
import { modesOf } from './rules.ts'
import { findListed } from './store.ts'

type Offering = Pick<ProviderRow, 'offers_in_person' | 'offers_video' | 'currency'> & { no: number }

/** A provider's visit types for patients to choose from; the search shows the first. */
export async function visitTypesOf(db: Db, provider: Offering): Promise<OfferedVisitType[]> {
  const { no, currency } = provider
  const types = await listTypes(db, no)
  return types.map((type) => ({
    id: type.id,
    name: type.name,
    minutes: type.minutes,
    fee: { minor: type.first_minor, currency },
    followUpFee: { minor: type.follow_minor, currency },
    modes: modesOf(provider).filter((mode) => type.mode === 'both' || type.mode === mode),
    place: type.place_name,
  }))
}

/** Visit types of a provider patients can find; otherwise throws `provider_not_found`. */
export async function readVisitTypes(
  ctx: Context,
  { providerId }: VisitTypesInput,
): Promise<OfferedVisitTypes> {
  const { db } = ctx.database
  const provider = await findListed(db, providerId)
  if (provider === undefined) throw new AppError('provider_not_found')
  return visitTypesOf(db, provider)
}

/** The viewer's types as they edit them, archived ones last. */
export async function ownVisitTypes(db: Db, providerNo: number): Promise<OwnVisitType[]> {
  const types = await listTypes(db, providerNo, true)
  return types
    .map((type) => ({
      id: type.id,
      name: type.name,
      minutes: type.minutes,
      amount: type.first_minor,
      follow_amount: type.follow_minor,
      mode: type.mode,
      placeId: type.place_id,
      isArchived: type.archived_at !== null,
    }))
    .toSorted((a, b) => Number(a.isArchived) - Number(b.isArchived))
}

/**
 * Applies the effects of changed types in the caller's transaction: the provider's row holds a copy of the
 * first one for the search, and slots are as long as the shortest one. `before` are the types as they were.
 */
export async function applyTypeChanges(
  db: Db,
  change: { providerNo: number; before: readonly TypeRow[]; now: Instant },
): Promise<void> {
  const { providerNo, before, now } = change
  const after = await listTypes(db, providerNo)
  const [first] = after
  if (first === undefined) throw new AppError('last_visit_type')
  if (first.place_no !== null) throw new AppError('visit_type_unfit')
  await updateOwnProvider(db, providerNo, {
    amount_minor: first.first_minor,
    follow_amount_minor: first.follow_minor,
    consultation_minutes: first.minutes,
    updated_at: now,
  })
  if (stepOf(after) !== stepOf(before)) await regenerateSlots(db, providerNo, now)
}

function stepOf(types: readonly TypeRow[]): number {
  return Math.min(...types.map(({ minutes }) => minutes))
}
