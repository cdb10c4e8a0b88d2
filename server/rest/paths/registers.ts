import * as z from 'zod/mini'
import { ProviderId } from '#contract/base/ids.ts'
import { type ProfessionalBody, VerificationStatus } from '#contract/base/people.ts'
import { registerMismatchText } from '#contract/errors/register-mismatch.ts'
import { DEMO_REGISTRANT } from '#contract/verification.ts'
import { AppError } from '#server/kernel/errors.ts'
import {
  type Caller,
  noQuery,
  okFields,
  okMessage,
  type ProcedureCall,
  parseId,
  type RestCall,
  restCall,
} from '#server/rest/call.ts'

const room = 'Verification'

type Number = { professional_body_name: ProfessionalBody; membership_number: string }

/** Providers look up their own number, staff any number. */
async function askRegister(caller: Caller, isProvider: boolean, number: Number) {
  if (!isProvider) return (await caller.verification.lookUp(number)).answer
  const { check } = await caller.verification.lookUpMine(number)
  const answer = check?.answer ?? null
  if (answer === null) return null
  return { Name: answer.name, registration_number: answer.registration_number }
}

function lookUp(body: ProfessionalBody, number: string): ProcedureCall {
  return restCall({
    method: 'POST',
    path: `/api/${body.toLowerCase()}_verification/`,
    room,
    title: `Check the ${body} register`,
    about:
      'The body is the number alone, as text/plain. Providers may look up their own number, five times a day; staff who verify any number.',
    procedures: ['verification.lookUp', 'verification.lookUpMine'],
    refusals: ['not_found', 'register_unavailable', 'rate_limited'],
    words: ['message'],
    // To the procedures "not found" is a result, which would be stored under the key.
    isComposite: true,
    endpointFor: ({ kind }) =>
      kind === 'provider' ? 'verification.lookUpMine' : 'verification.lookUp',
    example: {
      as: 'staff',
      body: number,
      answer: { Name: 'Alex Morgan', registration_number: number },
    },
    query: noQuery,
    body: { text: z.string().check(z.trim()) },
    answer: z.object({ Name: z.string(), registration_number: z.string() }),
    run: async ({ ctx, caller, body: membership_number }) => {
      const registration = { professional_body_name: body, membership_number }
      const answer = await askRegister(caller, ctx.viewer.kind === 'provider', registration)
      if (answer !== null) return answer
      const message = registerMismatchText({ body, outcome: 'not_found' })
      throw new AppError('not_found', {}, { issues: [{ path: '', message }] })
    },
  })
}

const UPDATED = 'Verification status updated successfully'

/** Reason shown to the provider when a documented client, which has no field for it, sends none. */
const NO_REASON = 'The register doesn’t confirm what you’ve told us.'

const decide = restCall({
  method: 'PATCH',
  path: '/admin/membership-number-verification/{id}/',
  room,
  title: 'Decide about a provider',
  about:
    'Our server queries the register again: `Verified` is refused if the register disagrees, or without a proof that the person is the registrant. `reason` is emailed to a provider who is not Verified.',
  procedures: ['verification.decide', 'verification.provider'],
  refusals: [
    'register_disagrees',
    'number_taken',
    'proof_required',
    'decided_meanwhile',
    'register_unavailable',
  ],
  words: ['message', 'detail'],
  isComposite: true,
  example: {
    as: 'staff',
    params: { id: '$PROVIDER' },
    body: { verification_status: 'Verified' },
    answer: { status: true, message: UPDATED, verification_status: 'Verified' },
  },
  query: noQuery,
  body: {
    json: z.strictObject({
      verification_status: VerificationStatus,
      reason: z.optional(z.string().check(z.maxLength(500))),
    }),
  },
  answer: z.object({ ...okFields, verification_status: VerificationStatus }),
  run: async ({ caller, params, body }) => {
    const providerId = parseId(ProviderId, params['id'])
    const { evidence } = await caller.verification.provider({ providerId })
    // Staff who may not decide get no evidence; `decide` itself refuses them.
    const about = { providerId, seen: evidence?.state ?? 'waiting' }
    const { reason, verification_status } = body
    const decided = await caller.verification.decide(
      verification_status === 'Verified'
        ? { ...about, verification_status, reason }
        : { ...about, verification_status, reason: reason ?? NO_REASON },
    )
    return { ...okMessage(UPDATED), verification_status: decided.verification_status }
  },
})

/** The professional registers, and decisions based on them. */
export const registerCalls: readonly RestCall[] = [
  lookUp('GMC', DEMO_REGISTRANT.numbers.GMC),
  lookUp('GDC', DEMO_REGISTRANT.numbers.GDC),
  decide,
]
