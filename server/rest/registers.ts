import * as z from 'zod/mini'
import type { ProfessionalBody } from '#contract/professions.ts'
import { AppError } from '#server/kernel/errors.ts'
import { noQuery, type ProcedureCall, type RestCall, restCall } from './call.ts'

const room = 'Verification'

function lookUp(body: ProfessionalBody, number: string): ProcedureCall {
  const path = `/api/${body.toLowerCase()}_verification/`
  return restCall({
    method: 'POST',
    path,
    room,
    title: `Ask the ${body}’s register`,
    about:
      'The number stands in the body by itself, as text/plain. Providers may ask about their own number, five times a day.',
    procedures: ['verification.lookUpMine'],
    refusals: ['not_found', 'register_unavailable', 'rate_limited'],
    example: {
      as: 'provider',
      body: number,
      answer: { Name: 'Amara Okafor', registration_number: number },
    },
    query: noQuery,
    body: { text: z.string().check(z.trim()) },
    answer: z.object({ Name: z.string(), registration_number: z.string() }),
    run: async ({ caller, body: membership_number }) => {
      const { check } = await caller.verification.lookUpMine({
        professional_body_name: body,
        membership_number,
      })
      const answer = check?.answer ?? null
      if (answer === null) throw new AppError('not_found')
      return { Name: answer.name, registration_number: answer.registration_number }
    },
  })
}

/** The professional registers. */
export const registerCalls: readonly RestCall[] = [
  lookUp('GMC', '7000001'),
  lookUp('GDC', '100001'),
]
