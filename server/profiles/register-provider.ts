import type { RegisterResponse } from '#contract/auth.ts'
import { regionFacts } from '#contract/base/region.ts'
import type { RegisterProviderInput } from '#contract/profiles.ts'
import { DEFAULT_RADIUS } from '#contract/search.ts'
import type { PracticePlace } from '#db/geo/lookup.ts'
import { openAccount } from '#server/auth/accounts/register.ts'
import type { Context, Tx } from '#server/context.ts'
import { insertPlace } from './own-profile-store.ts'
import { locatePractice, placeColumns } from './places.ts'
import { aboutColumns } from './provider-columns.ts'
import { specialtyNo } from './rules.ts'
import { insertProvider, insertVisitType } from './store.ts'

/** Shown to nobody until there is a second type, and then it can be changed. */
const FIRST_TYPE = 'Consultation'

type Plan = { input: RegisterProviderInput; place: PracticePlace; specialtyNo: number }

/** The profile starts Unverified, and so unlisted, whatever was claimed. */
async function attach(ctx: Context, tx: Tx, plan: Plan): Promise<number> {
  const { input, place } = plan
  const now = ctx.now()
  const no = await insertProvider(tx.db, {
    id: ctx.newId('prv'),
    region: input.region,
    title: null,
    first_name: input.first_name,
    last_name: input.last_name,
    email: input.email,
    phone: input.phone_number,
    specialty_no: plan.specialtyNo,
    professional_body: input.registed_with.professional_body_name,
    membership_number: input.registed_with.membership_number,
    verification_status: 'Unverified',
    verified_at: null,
    photo: null,
    ...aboutColumns(input),
    offers_in_person: 1,
    offers_video: 0,
    amount_minor: input.amount,
    follow_amount_minor: input.follow_amount,
    currency: regionFacts[input.region].currency,
    consultation_minutes: input.consultation_minutes,
    follow_up_policy: 'trust',
    free_cancel_hours: 24,
    late_cancel_percent: 50,
    no_show_percent: 100,
    rating_sum: 0,
    rating_count: 0,
    created_at: now,
    updated_at: now,
  })
  await insertVisitType(tx.db, {
    id: ctx.newId('vtp'),
    provider_no: no,
    position: 0,
    name: FIRST_TYPE,
    minutes: input.consultation_minutes,
    first_minor: input.amount,
    follow_minor: input.follow_amount,
    mode: 'both',
  })
  await insertPlace(tx.db, {
    id: ctx.newId('plc'),
    provider_no: no,
    position: 0,
    ...placeColumns(input, place),
    // The account's number is for us; the practice's is asked for along with the place.
    phone: null,
  })
  return no
}

/** The documented provider-register: an account, and with it an Unverified profile and its place. */
export async function registerProvider(
  ctx: Context,
  input: RegisterProviderInput,
): Promise<RegisterResponse> {
  const plan = {
    input,
    place: await locatePractice(ctx, input),
    specialtyNo: specialtyNo(input.specialty),
  }
  return openAccount(ctx, {
    kind: 'provider',
    email: input.email,
    password: input.password,
    first_name: input.first_name,
    last_name: input.last_name,
    phone_number: input.phone_number,
    date_of_birth: null,
    default_radius: DEFAULT_RADIUS,
    captchaValue: input.captchaValue,
    hasAcceptedTerms: input.terms === true,
    attach: (tx) => attach(ctx, tx, plan),
  })
}
