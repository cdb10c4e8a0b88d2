import * as z from 'zod/mini'
import { noBody, noQuery, type RestCall, restCall } from './call.ts'
import { okFields, okMessage } from './fields.ts'

const room = 'Booking'

/** The documented calls name no booking: their code works for whichever booking is paid next. */
const ANY_BOOKING = { purpose: 'booking' as const, object: '' }

const SENT = 'We’ve emailed you a code.'

const sendCode = restCall({
  method: 'POST',
  path: '/user/user-otp-verification/{userId}/',
  room,
  title: 'Request a one-time code by email',
  about:
    'Six digits, valid for ten minutes. You can request another one after a minute. The address comes back masked.',
  procedures: ['auth.sendCode'],
  who: 'patients, their own only',
  refusals: ['rate_limited'],
  own: { param: 'userId', is: 'user' },
  example: {
    as: 'patient',
    params: { userId: '$USER_ID' },
    answer: { status: true, message: SENT, email: 'paxxxxxxxxxxxxxxxxxx' },
  },
  query: noQuery,
  body: noBody,
  answer: z.object({ ...okFields, email: z.string() }),
  run: async ({ caller }) => {
    const { email } = await caller.auth.sendCode(ANY_BOOKING)
    return { ...okMessage(SENT), email }
  },
})

const checkCode = restCall({
  method: 'GET',
  path: '/user/user-otp-verification/{user_id}/',
  room,
  title: 'Check the one-time code',
  about:
    'A verified code is valid for half an hour and for one booking. A code stops working after five wrong tries. Deprecated, because a code in a URL may be logged on its way: use the procedure `auth.checkCode`.',
  procedures: ['auth.checkCode'],
  who: 'patients, their own only',
  refusals: ['code_invalid', 'code_locked'],
  own: { param: 'user_id', is: 'user' },
  // It counts attempts, and a correct code is used up.
  isWrite: true,
  headers: { deprecation: '@1772409600' },
  example: {
    as: 'patient',
    params: { user_id: '$USER_ID' },
    before: ['sleep 2', 'CODE=$(code patient@demo.example)'],
    query: { otp: '$CODE' },
    answer: { status: true },
  },
  query: z.strictObject({ otp: z.string({ error: 'code_invalid' }) }),
  body: noBody,
  answer: z.object({ status: z.boolean() }),
  run: ({ caller, query }) => caller.auth.checkCode({ ...ANY_BOOKING, otp: query.otp }),
})

/** One-time codes, required for payment. */
export const codeCalls: readonly RestCall[] = [sendCode, checkCode]
