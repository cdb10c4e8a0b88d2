import type { AuditAction } from '#contract/audit-actions.ts'
import type { Done } from '#contract/base/done.ts'
import { shownName } from '#contract/base/person-names.ts'
import type { UpdateAboutInput } from '#contract/base/provider.ts'
import type { Region } from '#contract/base/region.ts'
import { toIso } from '#contract/base/time.ts'
import {
  bodiesOfRegion,
  bodyFacts,
  type PatientDetails,
  type PhotoResponse,
  type UpdateDetailsInput,
} from '#contract/profiles.ts'
import {
  type OwnProfile,
  titlesOf,
  type UpdateIdentityInput,
  type UpdateOfferInput,
} from '#contract/profiles-own.ts'
import { DEFAULT_RADIUS, RADII } from '#contract/search.ts'
import { toFlag } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'
import { zoneForPlace } from '#db/geo/lookup.ts'
import { specialtyByNo } from '#db/reference/specialties.ts'
import type { Provider } from '#db/tables/profiles.ts'
import { changeAccount } from '#server/auth/accounts/accounts.ts'
import { assertBirthday } from '#server/auth/rules.ts'
import { listTypes, type TypeRow } from '#server/availability/slots/free-times.ts'
import { hasBankAccount } from '#server/bank-accounts/bank-accounts.ts'
import {
  type AsProvider,
  lockOwnAccount,
  type Services,
  type SignedIn,
  type Tx,
} from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import {
  findOwnProvider,
  hasHours,
  listOwnPlaces,
  lockOwnProvider,
  resetRegistrationStatus,
  updateOwnProvider,
} from './own-profile-store.ts'
import { aboutColumns, publicPartOf } from './provider-columns.ts'
import { isBookableIn, isSameClaim, modesOf, profileSteps, specialtyNo, titleOf } from './rules.ts'
import { getDetails, isShown, setPhotoOf, updateVisitType } from './store.ts'
import { videoColumns, videoPart } from './video-offer.ts'
import { applyTypeChanges, ownVisitTypes } from './visit-types.ts'

/** The viewer's provider row; for a change it is locked until the transaction ends. */
export async function ownProvider({ viewer }: AsProvider, db: Db, how: 'read' | 'change' = 'read') {
  const find = how === 'read' ? findOwnProvider : lockOwnProvider
  const provider = await find(db, viewer.id)
  if (provider === undefined) throw new AppError('not_found')
  return provider
}

/** The viewer's profile as they edit it, listed or not. */
export async function readOwn(ctx: AsProvider): Promise<OwnProfile> {
  const { db } = ctx.database
  const row = await ownProvider(ctx, db)
  const places = await listOwnPlaces(db, row.no, ctx.now())
  const codeZones = await Promise.all(
    places.map(({ postcode: zip, latitude: lat, longitude: lon }) =>
      zoneForPlace(db, row.region, { zip, lat, lon }),
    ),
  )
  const hours = await hasHours(db, row.no, ctx.now())
  const title = titleOf(row)
  return {
    ...publicPartOf(row),
    title,
    first_name: row.first_name,
    last_name: row.last_name,
    shownName: shownName({ ...row, title }),
    specialty: specialtyByNo(row.specialty_no).slug,
    registed_with: {
      professional_body_name: row.professional_body,
      membership_number: row.membership_number,
    },
    verification_status: row.verification_status,
    verifiedAt: row.verified_at === null ? null : toIso(row.verified_at),
    currency: row.currency,
    amount: row.amount_minor,
    follow_amount: row.follow_amount_minor,
    consultation_minutes: row.consultation_minutes,
    visitTypes: await ownVisitTypes(db, row.no),
    modes: modesOf(row),
    ...(await videoPart(ctx, row)),
    follow_up_policy: row.follow_up_policy,
    free_cancel_hours: row.free_cancel_hours,
    late_cancel_percent: row.late_cancel_percent,
    no_show_percent: row.no_show_percent,
    places: places.map((place, no) => ({
      id: place.id,
      hospital_name: place.name,
      address: place.address,
      locality: place.locality,
      postcode: place.postcode,
      phone: place.phone,
      timeZone: place.time_zone,
      codeTimeZone: codeZones[no] ?? place.time_zone,
      isMain: place.position === 0,
      comingVisits: place.coming_visits,
    })),
    steps: profileSteps(row, { place: places.length > 0, hours }),
    hasBankAccount: await hasBankAccount(db, row.no),
  }
}

export type AuditDetails = Record<string, string | number>

type Change = {
  /** Name of the change in the audit log. */
  action: AuditAction
  /** Changes the row, which is locked meanwhile; what it returns is recorded in the audit log. */
  work: (tx: Tx, before: Provider) => Promise<AuditDetails | void>
}

/** Changes the viewer's profile, updates the search, writes an audit row and returns the new profile. */
export async function changeOwn(ctx: AsProvider, change: Change): Promise<OwnProfile> {
  await ctx.transaction(async (tx) => {
    await lockOwnAccount(ctx, tx)
    const before = await ownProvider(ctx, tx.db, 'change')
    const details = await change.work(tx, before)
    await tx.outbox.add('provider.changed', { providerId: before.id })
    await tx.audit.add({
      action: change.action,
      entity: before.id,
      ...(details !== undefined && { details }),
    })
  })
  return readOwn(ctx)
}

/** Changes the descriptive part of a provider's profile. */
export function updateAbout(ctx: AsProvider, input: UpdateAboutInput): Promise<OwnProfile> {
  return changeOwn(ctx, {
    action: 'profile.about_changed',
    work: (tx, { no }) =>
      updateOwnProvider(tx.db, no, {
        ...aboutColumns(input),
        updated_at: ctx.now(),
      }),
  })
}

/** Details for a patient's account page. */
export async function readDetails(ctx: SignedIn): Promise<PatientDetails> {
  const row = await getDetails(ctx.database.db, ctx.session.accountNo)
  return {
    first_name: row.first_name,
    last_name: row.last_name,
    email: row.email,
    phone_number: row.phone_number,
    date_of_birth: row.date_of_birth,
    profile_image: row.profile_image,
    default_radius: RADII.find((radius) => radius === row.default_radius) ?? DEFAULT_RADIUS,
  }
}

/** Changes a patient's details; address and password are changed elsewhere. */
export async function updateDetails(
  ctx: SignedIn,
  input: UpdateDetailsInput,
): Promise<PatientDetails> {
  const { date_of_birth: birthday, selectedRegion: region, has_one_name: _, ...rest } = input
  if (birthday !== undefined) assertBirthday(birthday, { region, now: ctx.now() })
  await ctx.transaction(async (tx) => {
    await changeAccount(tx, ctx.session.accountNo, {
      ...rest,
      ...(birthday === undefined ? {} : { date_of_birth: birthday }),
      now: ctx.now(),
    })
    await tx.audit.add({ action: 'account.details_changed', entity: ctx.session.userId })
  })
  return readDetails(ctx)
}

function assertOfRegion(region: Region, input: UpdateIdentityInput): void {
  const { professional_body_name: body } = input.registed_with
  const issues = []
  if (bodyFacts[body].region !== region) {
    const path = 'registed_with.professional_body_name'
    issues.push({ path, message: bodiesOfRegion[region] })
  }
  if (input.title !== null && !titlesOf[region].some((title) => title === input.title)) {
    issues.push({ path: 'title', message: 'Choose one of the titles.' })
  }
  if (issues.length > 0) throw new AppError('invalid_input', {}, { issues })
}

/**
 * Changes title, name, specialty or registration. A provider who was Verified under the old ones leaves the
 * search until checked again, and must confirm that first.
 */
export function updateIdentity(ctx: AsProvider, input: UpdateIdentityInput): Promise<OwnProfile> {
  const { professional_body_name: body, membership_number: number } = input.registed_with
  const claim = {
    first_name: input.first_name,
    last_name: input.last_name,
    specialty_no: specialtyNo(input.specialty),
    professional_body: body,
    membership_number: number,
  }
  return changeOwn(ctx, {
    action: 'profile.identity_changed',
    work: async (tx, before) => {
      assertOfRegion(before.region, input)
      const isSame = isSameClaim(before, claim)
      const wasVerified = before.verification_status === 'Verified'
      if (wasVerified && !isSame && !input.confirmed) throw new AppError('profile_needs_check')
      const now = ctx.now()
      const unverified = { verification_status: 'Unverified', verified_at: null } as const
      await updateOwnProvider(tx.db, before.no, {
        ...claim,
        title: input.title,
        updated_at: now,
        ...(isSame ? {} : unverified),
      })
      if (!isSame) await resetRegistrationStatus(tx.db, before.no, now)
      const { first_name, last_name } = claim
      await changeAccount(tx, ctx.session.accountNo, { first_name, last_name, now })
    },
  })
}

/** Refuses modes without which nobody could book the first type, whose fee and times search results show. */
function assertFirstStays(first: TypeRow, { modes }: UpdateOfferInput): void {
  if (isBookableIn(modes, first)) return
  const way = first.mode === 'video' ? 'by video' : 'in person'
  const message = `Your first visit type, “${first.name}”, is ${way} only. Under “Visit types”, change that or put another one first.`
  throw new AppError('invalid_input', {}, { issues: [{ path: 'modes', message }] })
}

/**
 * Changes modes and conditions of visits, and fees and length of the first visit type where they are given. Visits
 * held or booked keep their price and conditions.
 */
export function updateOffer(ctx: AsProvider, input: UpdateOfferInput): Promise<OwnProfile> {
  return changeOwn(ctx, {
    action: 'profile.offer_changed',
    work: async (tx, before) => {
      const types = await listTypes(tx.db, before.no)
      const [first] = types
      if (first === undefined) throw new Error('The provider has no visit type.')
      assertFirstStays(first, input)
      await updateOwnProvider(tx.db, before.no, {
        offers_in_person: toFlag(input.modes.includes('in_person')),
        ...(await videoColumns(ctx, tx, { before, input })),
        follow_up_policy: input.follow_up_policy,
        free_cancel_hours: input.free_cancel_hours,
        late_cancel_percent: input.late_cancel_percent,
        // An older client sends only the share for cancelling late.
        no_show_percent:
          input.no_show_percent ?? Math.max(before.no_show_percent, input.late_cancel_percent),
        updated_at: ctx.now(),
      })
      await updateVisitType(tx.db, first.no, {
        minutes: input.consultation_minutes ?? first.minutes,
        first_minor: input.amount ?? first.first_minor,
        follow_minor: input.follow_amount ?? first.follow_minor,
      })
      await applyTypeChanges(tx.db, { providerNo: before.no, before: types, now: ctx.now() })
    },
  })
}

/** Replaces the picture and removes the old file once nothing shows it. */
async function replacePhoto(ctx: SignedIn, photo: string | null): Promise<void> {
  await ctx.transaction(async (tx) => {
    const now = ctx.now()
    const { accountNo, userId } = ctx.session
    // The picture of a concurrent upload must be found below, or it would stay for good.
    await lockOwnAccount(ctx, tx)
    const before = await getDetails(tx.db, accountNo)
    const isProvider = before.provider_no !== null
    await changeAccount(tx, accountNo, isProvider ? { now } : { profile_image: photo, now })
    if (before.provider_no !== null) await setPhotoOf(tx.db, before.provider_no, { photo, now })
    const old = before.provider_no === null ? before.profile_image : before.photo
    if (old !== null && old !== photo) await tx.outbox.add('picture.dropped', { path: old })
    const action = photo === null ? 'photo.removed' : 'photo.uploaded'
    await tx.audit.add({ action, entity: userId })
  })
}

/** Re-encodes an uploaded picture and makes it the viewer's; for a provider, the profile's. */
export async function setPhoto(ctx: SignedIn, upload: Uint8Array): Promise<PhotoResponse> {
  const path = await ctx.pictures.savePortrait(upload)
  try {
    await replacePhoto(ctx, path)
  } catch (error) {
    await dropPicture(ctx, path)
    throw error
  }
  return { status: true, profile_image: path }
}

export async function removePhoto(ctx: SignedIn): Promise<Done> {
  await replacePhoto(ctx, null)
  return { status: true }
}

/** Removes a picture's file unless something still shows it: identical pictures share one file. */
export async function dropPicture(services: Services, path: string): Promise<void> {
  await services.pictures.removeUnless(() => isShown(services.database.db, path), path)
}
