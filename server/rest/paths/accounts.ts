import * as z from 'zod/mini'
import {
  ForgetPasswordInput,
  RegisterPatientInput,
  ResetPasswordInput,
  SignInStaffInput,
  UserLoginInput,
  UserType,
} from '#contract/auth.ts'
import { UserId } from '#contract/base/ids.ts'
import { RegisterProviderInput } from '#contract/profiles.ts'
import { noBody, noQuery, okFields, type RestCall, restCall } from '#server/rest/call.ts'

const room = 'Accounts'

const Tokens = z.object({ access_token: z.string(), refresh_token: z.string() })

const signIn = restCall({
  method: 'POST',
  path: '/api/user-login',
  room,
  title: 'Sign in',
  about:
    'As a patient or as a provider: one address may have an account of each. Browsers get the tokens as HttpOnly cookies; other programs get them here, to be sent as a Bearer token. If the response has the code `second_factor_required`, repeat the call with `second_factor`.',
  procedures: ['auth.signIn'],
  refusals: [
    'credentials_wrong',
    'user_type_invalid',
    'email_unverified',
    'account_suspended',
    'second_factor_required',
    'second_factor_wrong',
    'rate_limited',
  ],
  example: {
    body: {
      email: 'patient@demo.example',
      password: 'Apposite-demo-1',
      user_type: 'patient',
    },
    answer: {
      status: true,
      tokens: { access_token: '…', refresh_token: '…' },
      user_id: 'usr_…',
      is_admin: false,
    },
  },
  query: noQuery,
  body: { json: UserLoginInput },
  answer: z.object({
    status: z.literal(true),
    tokens: z.optional(Tokens),
    user_id: UserId,
    is_admin: z.literal(false),
  }),
  run: ({ caller, body }) => caller.auth.signIn(body),
})

const Registered = z.object({
  ...okFields,
  /** Useless without the link or the code from the email. */
  auth_token: z.string(),
})

const REGISTERED = 'We’ve emailed you. Confirm your address with the link to continue.'

const register = restCall({
  method: 'POST',
  path: '/api/user-register',
  room,
  title: 'Register as a patient',
  about:
    'The response is the same whether the address is new or known; an email says which. People with one name send it as `first_name`, and `has_one_name: true` instead of a `last_name`. `terms` accepts the terms of use; without it our pages ask at the first sign-in. `captchaValue` is a solved challenge, see “Proof of work”.',
  procedures: ['auth.registerPatient'],
  refusals: ['captcha_required', 'captcha_invalid', 'unknown_field'],
  example: {
    before: ['PROOF=$(proof)'],
    body: {
      first_name: 'Ada',
      last_name: 'Moss',
      email: 'ada@mail.example',
      password: 'seven green bottles',
      phone_number: '020 7946 0123',
      date_of_birth: '1990-02-28',
      temp_distance: 10,
      terms: true,
      captchaValue: '$PROOF',
    },
    answer: { status: true, message: REGISTERED, auth_token: '…' },
  },
  query: noQuery,
  body: { json: RegisterPatientInput },
  answer: Registered,
  run: async ({ caller, body }) => ({
    ...(await caller.auth.registerPatient(body)),
    message: REGISTERED,
  }),
})

const registerProvider = restCall({
  method: 'POST',
  path: '/api/provider-register/',
  room,
  title: 'Register as a provider',
  about:
    'The whole public profile and the registration to be checked. Fees are in pence or cents. Nobody is listed until they are Verified.',
  procedures: ['profiles.registerProvider'],
  refusals: ['captcha_required', 'captcha_invalid', 'unknown_field', 'postcode_unknown'],
  example: {
    before: ['PROOF=$(proof)'],
    body: {
      first_name: 'Alex',
      last_name: 'Morgan',
      email: 'alex@mail.example',
      password: 'seven green bottles',
      phone_number: '020 7946 0123',
      region: 'uk',
      registed_with: { professional_body_name: 'GMC', membership_number: '9999999' },
      specialty: 'gp',
      qualifications: ['MBBS'],
      hospital_name: 'Riverside Family Practice',
      address: '24 Chapel Street',
      postcode: 'SE1 6ET',
      amount: 6_000,
      follow_amount: 4_000,
      consultation_minutes: 20,
      languages: ['en'],
      about: 'I have been a GP south of the river for fourteen years.',
      terms: true,
      captchaValue: '$PROOF',
    },
    answer: { status: true, message: REGISTERED, auth_token: '…' },
  },
  query: noQuery,
  body: { json: RegisterProviderInput },
  answer: Registered,
  run: async ({ caller, body }) => ({
    ...(await caller.profiles.registerProvider(body)),
    message: REGISTERED,
  }),
})

const FORGOT = 'If there’s an account with this address, we’ve emailed you a link.'

const forgotPassword = restCall({
  method: 'POST',
  path: '/api/forget-password',
  room,
  title: 'Request a password reset link',
  about: 'The response is the same whether there is such an account or not.',
  procedures: ['auth.forgotPassword'],
  refusals: ['user_type_invalid', 'rate_limited'],
  example: {
    body: { email: 'ada@mail.example', userType: 'patient' },
    answer: { status: true, message: FORGOT },
  },
  query: noQuery,
  body: { json: ForgetPasswordInput },
  answer: z.object(okFields),
  run: async ({ caller, body }) => ({
    ...(await caller.auth.forgotPassword(body)),
    message: FORGOT,
  }),
})

const NewPasswords = z.strictObject({
  new_password: ResetPasswordInput.shape.new_password,
  confirm_password: ResetPasswordInput.shape.confirm_password,
})

const RESET = 'Your password is changed. Sign in with it.'

const resetPassword = restCall({
  method: 'PATCH',
  path: '/api/reset-password/{token}',
  room,
  title: 'Set a new password',
  about:
    'With the token from the emailed link, which works once and for half an hour. It ends every session of the account and does not sign in.',
  procedures: ['auth.resetPassword'],
  refusals: ['reset_link_invalid'],
  example: {
    isForReading: true,
    params: { token: '…' },
    body: { new_password: 'seven green bottles', confirm_password: 'seven green bottles' },
    answer: { status: true, message: RESET, user_type: 'patient' },
  },
  headers: { 'referrer-policy': 'no-referrer' },
  query: noQuery,
  body: { json: NewPasswords },
  answer: z.object({ ...okFields, user_type: UserType }),
  run: async ({ caller, params, body }) => {
    const { token = '' } = params
    return { ...(await caller.auth.resetPassword({ token, ...body })), message: RESET }
  },
})

const refresh = restCall({
  method: 'POST',
  path: '/token/refresh/',
  room,
  title: 'Get the next access token',
  about:
    'An access token lasts ten minutes. Send the refresh token as a Bearer token, or as the cookie it came in. Each works once and is replaced by the one in the response; reusing an old one ends the session. Browsers get cookies instead of the fields.',
  procedures: ['auth.refresh'],
  refusals: ['session_ended'],
  example: {
    as: 'refresh',
    keep: { PATIENT_TOKEN: 'access', REFRESH: 'refresh' },
    answer: { status: true, access: '…', refresh: '…' },
  },
  query: noQuery,
  body: noBody,
  answer: z.object({
    status: z.literal(true),
    access: z.optional(z.string()),
    refresh: z.optional(z.string()),
  }),
  run: async ({ caller }) => {
    const { status, tokens } = await caller.auth.refresh({})
    if (tokens === undefined) return { status }
    return { status, access: tokens.access_token, refresh: tokens.refresh_token }
  },
})

const staffSignIn = restCall({
  method: 'POST',
  path: '/admin-login/',
  room,
  title: 'Sign in as staff',
  about:
    'Like any sign-in, but for staff accounts. Send `access` as a Bearer token with every staff call; browsers get cookies instead.',
  procedures: ['auth.signInStaff'],
  refusals: ['credentials_wrong', 'second_factor_required', 'second_factor_wrong', 'rate_limited'],
  example: {
    body: { email: 'superuser@demo.example', password: 'Apposite-demo-1' },
    answer: { status: true, access: '…', refresh: '…', user_id: 'usr_…', is_admin: true },
  },
  query: noQuery,
  body: { json: SignInStaffInput },
  answer: z.object({
    status: z.literal(true),
    access: z.optional(z.string()),
    refresh: z.optional(z.string()),
    user_id: UserId,
    is_admin: z.literal(true),
  }),
  run: async ({ caller, body }) => {
    const { tokens, ...answer } = await caller.auth.signInStaff(body)
    if (tokens === undefined) return answer
    return { ...answer, access: tokens.access_token, refresh: tokens.refresh_token }
  },
})

/** Registration, sign-in and sessions. */
export const accountCalls: readonly RestCall[] = [
  signIn,
  register,
  registerProvider,
  forgotPassword,
  resetPassword,
  refresh,
  staffSignIn,
]
