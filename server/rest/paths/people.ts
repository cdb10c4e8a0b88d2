import * as z from 'zod/mini'
import { ProviderId } from '#contract/base/ids.ts'
import { Region } from '#contract/base/region.ts'
import { ContactInput } from '#contract/messages.ts'
import type { Context } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import {
  type Caller,
  noBody,
  noQuery,
  okFields,
  okMessage,
  parseId,
  type RestCall,
  restCall,
} from '#server/rest/call.ts'
import { DoctorDetails, doctorDetails, ProviderRecord, providerRecord } from './doctor.ts'

const room = 'People'

const OwnDetails = z.object({
  user_id: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  email: z.string(),
  phone_number: z.string(),
  date_of_birth: z.nullable(z.string()),
  profile_image: z.nullable(z.string()),
})

const userDetails = restCall({
  method: 'GET',
  path: '/api/user-details/{user_id}/',
  room,
  title: 'Read your own details',
  about: 'A patient’s. `profile_image` is a path on this host, or null.',
  procedures: ['profiles.details'],
  own: { param: 'user_id', is: 'user' },
  example: {
    as: 'patient',
    params: { user_id: '$USER_ID' },
    answer: {
      status: true,
      message: 'Your details',
      data: { user_id: 'usr_…', first_name: 'Maya', profile_image: '/media/….webp' },
    },
  },
  query: noQuery,
  body: noBody,
  answer: z.object({ ...okFields, data: OwnDetails }),
  run: async ({ caller, params }) => {
    const details = await caller.profiles.details({})
    const { user_id = '' } = params
    return { ...okMessage('Your details'), data: { ...details, user_id } }
  },
})

const FOUND = 'Provider details'

type ProviderQuery = { id: ProviderId; selectedRegion?: Region | undefined }

/** Access tokens, and users who still have to complete setup, see what visitors see. */
function seesAsVisitor({ session, token }: Context): boolean {
  if (session === null || token !== null) return true
  return session.setupStep !== null
}

/** Staff who verify see every provider, providers see themselves, others see bookable providers. */
async function detailsFor(ctx: Context, caller: Caller, wanted: ProviderQuery) {
  const { viewer } = ctx
  const { id, selectedRegion: region } = wanted
  if (seesAsVisitor(ctx)) return doctorDetails(await caller.search.provider(wanted))
  if (viewer.kind === 'provider' && viewer.id === id) {
    const [profile, { verification_status: status }] = await Promise.all([
      caller.search.preview({}),
      caller.verification.mine({}),
    ])
    if ((region ?? profile.region) !== profile.region) throw new AppError('provider_not_found')
    return doctorDetails(profile, status)
  }
  if (viewer.kind !== 'staff') return doctorDetails(await caller.search.provider(wanted))
  const record = await caller.verification.provider({ providerId: id, region })
  if (record.evidence === null) return doctorDetails(await caller.search.provider(wanted))
  if (record.verification_status === 'Unverified') return providerRecord(record)
  return { ...doctorDetails(await caller.search.provider(wanted)), ...providerRecord(record) }
}

const providerDetails = restCall({
  method: 'GET',
  path: '/api/provider-details/{id}/',
  room,
  title: 'Read a provider',
  about:
    'The public data of a Verified provider. Providers see their own and staff who verify see everybody’s, Verified or not. `selectedRegion`, if sent, has to be the provider’s.',
  procedures: ['search.provider', 'search.preview', 'verification.mine', 'verification.provider'],
  refusals: ['provider_not_found'],
  example: {
    params: { id: '$PROVIDER' },
    query: { selectedRegion: 'uk' },
    answer: {
      status: true,
      message: FOUND,
      data: { _id: 'prv_…', name: 'Dr Amara Okafor', speciality: 'GP', amount: '60.00' },
    },
  },
  query: z.strictObject({ selectedRegion: z.optional(Region) }),
  body: noBody,
  answer: z.object({ ...okFields, data: z.union([DoctorDetails, ProviderRecord]) }),
  run: async ({ ctx, caller, params, query }) => {
    const id = parseId(ProviderId, params['id'])
    const data = await detailsFor(ctx, caller, { id, ...query })
    return { ...okMessage(FOUND), data }
  },
})

const doctor = restCall({
  method: 'GET',
  path: '/api/doctors/{id}',
  room,
  title: 'Read a doctor',
  about: 'The same as the public part of “Read a provider”, for anyone.',
  procedures: ['search.provider'],
  refusals: ['provider_not_found'],
  example: {
    params: { id: '$PROVIDER' },
    answer: { status: true, message: FOUND, data: { _id: 'prv_…', name: 'Dr Amara Okafor' } },
  },
  query: noQuery,
  body: noBody,
  answer: z.object({ ...okFields, data: DoctorDetails }),
  run: async ({ caller, params }) => {
    const id = parseId(ProviderId, params['id'])
    const profile = await caller.search.provider({ id })
    return { ...okMessage(FOUND), data: doctorDetails(profile) }
  },
})

const THANKS = 'Thank you. Your message is on its way.'

const contact = restCall({
  method: 'POST',
  path: '/api/contact-us/',
  room,
  title: 'Write to us, or to a provider',
  about:
    'To the people who run the site, or with `providerId` to a provider. `captchaValue` is a solved challenge, see “Proof of work”. Five an hour from one network.',
  procedures: ['messages.contact'],
  refusals: ['captcha_required', 'captcha_invalid', 'message_rejected', 'rate_limited'],
  bodyLimit: 10_240,
  example: {
    before: ['PROOF=$(proof)'],
    body: {
      first_name: 'Ada',
      last_name: 'Moss',
      email: 'ada@mail.example',
      message: 'Do you see children under five?',
      captchaValue: '$PROOF',
    },
    answer: { status: true, message: THANKS, data: { reference: 'msg_…' } },
  },
  query: noQuery,
  body: { json: ContactInput },
  answer: z.object({ ...okFields, data: z.object({ reference: z.string() }) }),
  run: async ({ caller, body }) => ({
    ...okMessage(THANKS),
    data: await caller.messages.contact(body),
  }),
})

/** Patient details, provider details and contact messages. */
export const peopleCalls: readonly RestCall[] = [userDetails, providerDetails, doctor, contact]
