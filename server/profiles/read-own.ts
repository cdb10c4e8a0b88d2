import type { OwnProfile } from '#contract/profiles-own.ts'
import { toIso } from '#contract/time.ts'
import { parseJson } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'
import { specialtyByNo } from '#db/reference/specialties.ts'
import type { Context } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { findOwnProvider, hasHours, lockOwnProvider } from './own-store.ts'
import { listOwnPlaces } from './place-store.ts'
import { modesOf, stepsOf, titleOf } from './rules.ts'

/** The profile of the viewer's, inside a transaction kept from others until it ends. */
export async function ownProvider(ctx: Context, db: Db, how: 'read' | 'change' = 'read') {
  const { viewer } = ctx
  if (viewer.kind !== 'provider') throw new AppError('forbidden')
  const find = how === 'read' ? findOwnProvider : lockOwnProvider
  const provider = await find(db, viewer.id)
  if (provider === undefined) throw new AppError('not_found')
  return provider
}

/** The viewer's profile as they edit it, listed or not. */
export async function readOwn(ctx: Context): Promise<OwnProfile> {
  const { db } = ctx.database
  const row = await ownProvider(ctx, db)
  const places = await listOwnPlaces(db, row.no, ctx.now())
  const hours = await hasHours(db, row.no, ctx.now())
  const title = titleOf(row)
  return {
    id: row.id,
    region: row.region,
    title,
    first_name: row.first_name,
    last_name: row.last_name,
    shownName: [title, row.first_name, row.last_name].filter(Boolean).join(' '),
    specialty: specialtyByNo(row.specialty_no).slug,
    registed_with: {
      professional_body_name: row.professional_body,
      membership_number: row.membership_number,
    },
    verification_status: row.verification_status,
    verifiedAt: row.verified_at === null ? null : toIso(row.verified_at),
    photo: row.photo,
    gender: row.gender,
    about: row.about,
    qualifications: parseJson<string[]>(row.qualifications),
    languages: parseJson<string[]>(row.languages),
    currency: row.currency,
    amount: row.amount_minor,
    follow_amount: row.follow_amount_minor,
    consultation_minutes: row.consultation_minutes,
    modes: modesOf(row),
    follow_up_policy: row.follow_up_policy,
    free_cancel_hours: row.free_cancel_hours,
    late_cancel_percent: row.late_cancel_percent,
    places: places.map((place) => ({
      id: place.id,
      hospital_name: place.name,
      address: place.address,
      locality: place.locality,
      postcode: place.postcode,
      phone: place.phone,
      timeZone: place.time_zone,
      isMain: place.position === 0,
      comingVisits: place.coming_visits ?? 0,
    })),
    steps: stepsOf(row, { place: places.length > 0, hours }),
  }
}
