import type { Done } from '#contract/base/done.ts'
import { shownName } from '#contract/base/person-names.ts'
import { toIso } from '#contract/base/time.ts'
import { type Favourite, type FavouriteRef, MAX_FAVOURITES } from '#contract/profiles.ts'
import { specialtyByNo } from '#db/reference/specialties.ts'
import { lockOwnAccount, type SignedIn } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import {
  countFavourites,
  deleteFavourite,
  findProviderNo,
  hasFavourite,
  insertFavourite,
  listFavourites,
} from './favourite-store.ts'
import { findListed } from './store.ts'

type Row = Awaited<ReturnType<typeof listFavourites>>[number]

/** The provider part of a favourite; null when patients can no longer find the provider. */
function providerOf(row: Row): Favourite['provider'] {
  const { place_name: place, locality, postcode, time_zone: timeZone, next_free: nextFree } = row
  if (row.verification_status !== 'Verified') return null
  if (place === null || locality === null || postcode === null || timeZone === null) return null
  return {
    name: shownName(row),
    region: row.region,
    specialty: specialtyByNo(row.specialty_no).name[row.region],
    photo: row.photo,
    place: { name: place, locality, postcode, timeZone },
    fee: { minor: row.amount_minor, currency: row.currency },
    nextFree: nextFree === null ? null : toIso(nextFree),
  }
}

/** The viewer's favourites, the latest first. */
export async function readFavourites(ctx: SignedIn): Promise<Favourite[]> {
  const rows = await listFavourites(ctx.database.db, ctx.session.accountNo, ctx.now())
  return rows.map((row) => ({
    providerId: row.id,
    savedAt: toIso(row.created_at),
    provider: providerOf(row),
  }))
}

/**
 * Saves a provider; saving one twice is no error. Throws `provider_not_found` for one who is not listed, and
 * `favourites_full` beyond `MAX_FAVOURITES`.
 */
export async function saveFavourite(ctx: SignedIn, { providerId }: FavouriteRef): Promise<Done> {
  const { accountNo } = ctx.session
  await ctx.transaction(async (tx) => {
    // Also because concurrent requests together must not exceed the limit.
    await lockOwnAccount(ctx, tx)
    const provider = await findListed(tx.db, providerId)
    if (provider === undefined) throw new AppError('provider_not_found')
    const pair = { accountNo, providerNo: provider.no }
    if (await hasFavourite(tx.db, pair)) return
    if ((await countFavourites(tx.db, accountNo)) >= MAX_FAVOURITES) {
      throw new AppError('favourites_full')
    }
    if (!(await insertFavourite(tx.db, pair, ctx.now()))) return
    await tx.audit.add({ action: 'favourite.saved', entity: providerId })
  })
  return { status: true }
}

/** Removes a provider, listed or not, from the favourites; one that is not among them is no error. */
export async function removeFavourite(ctx: SignedIn, { providerId }: FavouriteRef): Promise<Done> {
  const { accountNo } = ctx.session
  await ctx.transaction(async (tx) => {
    const providerNo = await findProviderNo(tx.db, providerId)
    if (providerNo === undefined) return
    if (!(await deleteFavourite(tx.db, { accountNo, providerNo }))) return
    await tx.audit.add({ action: 'favourite.removed', entity: providerId })
  })
  return { status: true }
}
