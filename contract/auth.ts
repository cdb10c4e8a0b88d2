import * as z from 'zod/mini'
import { CaptchaValue } from './captcha.ts'
import { ProviderId, SessionId, UserId } from './ids.ts'
import { NextPath } from './next-path.ts'
import { BirthDate, Email, PersonName, Phone } from './people.ts'
import { Region } from './region.ts'
import { RADII } from './search.ts'
import { StaffRole } from './staff.ts'
import { IsoInstant } from './time.ts'

/** Documented values of `user_type`; anything else is refused. */
export const UserType = z.enum(['patient', 'provider'], { error: 'user_type_invalid' })
export type UserType = z.infer<typeof UserType>

export const PASSWORD_MIN = 8
/** Said beside the field; eight are enough to be accepted. */
export const PASSWORD_ADVISED = 15
const PASSWORD_MAX = 128

const TOO_LONG = 'Use 128 characters or fewer.'

/** No composition rules (ASVS 6.2.5); the server also refuses the most common ones and one's own address. */
export const NewPassword = z.string({ error: 'Enter a password.' }).check(
  z.minLength(PASSWORD_MIN, { error: 'Use at least 8 characters.' }),
  z.maxLength(PASSWORD_MAX, { error: TOO_LONG }),
  z.refine<string>((text) => text.trim() !== '', { error: 'Use more than spaces.' }),
)

/** A password typed to get in: no rule but a length that is worth hashing. */
export const GivenPassword = z
  .string({ error: 'Enter your password.' })
  .check(
    z.minLength(1, { error: 'Enter your password.' }),
    z.maxLength(PASSWORD_MAX, { error: TOO_LONG }),
  )

/** Six digits of the authenticator app, or a recovery code such as `k3x9q-7wd2m`. */
export const SecondFactor = z
  .string({ error: 'second_factor_wrong' })
  .check(
    z.trim(),
    z.toLowerCase(),
    z.regex(/^(?:[0-9]{6}|[0-9a-z]{5}-?[0-9a-z]{5})$/, { error: 'second_factor_wrong' }),
  )

/**
 * Made by the page when the cookie banner is answered; also a cookie of that name. Ours is a UUID; other
 * clients have ids of their own.
 */
export const ConsentId = z
  .string()
  .check(z.maxLength(80, { error: 'Use 80 characters or fewer for consentID.' }))

export const Terms = z.literal(true, { error: 'Agree to the terms of use to go on.' })

/** Agreeing to the terms later than at the registration. */
export const AcceptTermsInput = z.strictObject({ terms: Terms })

export const RegisterPatientInput = z.strictObject({
  first_name: PersonName('Enter your first name.'),
  last_name: PersonName('Enter your last name.'),
  email: Email,
  password: NewPassword,
  phone_number: Phone,
  date_of_birth: BirthDate,
  /** Where the person lives: the age from which they may have an account. The UK when left out. */
  selectedRegion: z.optional(Region),
  /** Radius the person last used; becomes the account's default. */
  temp_distance: z.optional(z.literal(RADII)),
  /** Left out, as older programs do: then the pages ask for it (`Me.must_accept_terms`). */
  terms: z.optional(Terms),
  captchaValue: z.optional(CaptchaValue),
  consentID: z.optional(ConsentId),
  /** Where the link in the email leads once the address is confirmed. */
  next: z.optional(NextPath),
})
export type RegisterPatientInput = z.infer<typeof RegisterPatientInput>

/**
 * The same whether the address is new or known. `auth_token` is a pending handle: useless until the
 * link in the mail is clicked, or together with the code of the mail in `confirmEmail`.
 */
export const RegisterAnswer = z.object({ status: z.literal(true), auth_token: z.string() })
export type RegisterAnswer = z.infer<typeof RegisterAnswer>

export const SignInInput = z.strictObject({
  email: Email,
  password: GivenPassword,
  user_type: UserType,
  consentID: z.optional(ConsentId),
  /** Asked for with `second_factor_required`, then sent along with the rest again. */
  second_factor: z.optional(SecondFactor),
})
export type SignInInput = z.infer<typeof SignInInput>

/** Who is signed in, as the pages need it. */
export const Me = z.object({
  user_id: UserId,
  kind: z.enum(['patient', 'provider', 'staff']),
  role: z.nullable(StaffRole),
  first_name: z.string(),
  last_name: z.string(),
  email: z.string(),
  phone_number: z.string(),
  /** Root-relative `/media/<hash>.webp`. */
  profile_image: z.nullable(z.string()),
  default_radius: z.literal(RADII),
  has_second_factor: z.boolean(),
  /** Nothing else may be done before an authenticator app is set up. */
  must_set_second_factor: z.boolean(),
  /** Nor before a first password, which a colleague typed, is replaced by one of one's own. */
  must_change_password: z.boolean(),
  /** Registered by a program that did not ask for the terms: the pages do. */
  must_accept_terms: z.boolean(),
  /** Until when sensitive changes need no further proof. */
  stepped_up_until: z.nullable(IsoInstant),
  provider: z.nullable(
    z.object({
      provider_id: ProviderId,
      region: Region,
      verification_status: z.enum(['Verified', 'Unverified']),
    }),
  ),
})
export type Me = z.infer<typeof Me>

/** Only for programs that are no browser; browsers get them as cookies that no script can read. */
export const Tokens = z.object({ access_token: z.string(), refresh_token: z.string() })

/** The documented answer of user-login. */
export const SignInAnswer = z.object({
  status: z.literal(true),
  user_id: UserId,
  is_admin: z.literal(false),
  me: Me,
  tokens: z.optional(Tokens),
})
export type SignInAnswer = z.infer<typeof SignInAnswer>

export const RefreshAnswer = z.object({ status: z.literal(true), tokens: z.optional(Tokens) })
export type RefreshAnswer = z.infer<typeof RefreshAnswer>

/** What a page has to forget when somebody signs out; the cookies are gone already. */
export const SignOutAnswer = z.object({
  status: z.literal(true),
  cookies: z.array(z.string()),
  localStorage: z.array(z.string()),
})
export type SignOutAnswer = z.infer<typeof SignOutAnswer>

/** Local keys that signing out removes, as the specification lists them. */
export const SIGNED_OUT_KEYS = ['ProfilePhone', 'ProfileEmail'] as const
export const SESSION_COOKIES = ['access_token', 'refresh_token', 'user_id'] as const
export const DEMO_COOKIES = ['demo_access_token', 'demo_refresh_token'] as const

/** Link tokens: 256 random bits in base64url. */
function linkToken(code: string) {
  return z.string({ error: code }).check(z.regex(/^[A-Za-z0-9_-]{43}$/, { error: code }))
}

/** The token of `/verify/{email_verify}`: a new account or a new address of an old one. */
export const VerifyEmailInput = z.strictObject({
  token: linkToken('verify_link_invalid'),
  /** The handle of the registration: sent by the browser that registered, which is then signed in. */
  auth_token: z.optional(z.string().check(z.maxLength(43))),
})
export type VerifyEmailInput = z.infer<typeof VerifyEmailInput>
export const VerifyEmailAnswer = z.object({
  status: z.literal(true),
  /** Where to sign in afterwards. */
  user_type: UserType,
  email: z.string(),
  /** Who is signed in now; left out when the link was opened elsewhere than where they registered. */
  me: z.optional(Me),
  tokens: z.optional(Tokens),
})
export type VerifyEmailAnswer = z.infer<typeof VerifyEmailAnswer>

/** A one-time code as it is typed. */
export const CodeText = z.string({ error: 'code_invalid' }).check(
  // ASCII digits only: `\d` with the u flag or a number input would take others.
  z.regex(/^[0-9]{6}$/, { error: 'code_invalid' }),
)

/** The code of the registration mail, with the handle the registration answered. Signs in. */
export const ConfirmEmailInput = z.strictObject({
  auth_token: z.string().check(z.maxLength(43)),
  otp: CodeText,
})
export type ConfirmEmailInput = z.infer<typeof ConfirmEmailInput>
export const ConfirmEmailAnswer = z.object({
  status: z.boolean(),
  me: z.nullable(Me),
  tokens: z.optional(Tokens),
})
export type ConfirmEmailAnswer = z.infer<typeof ConfirmEmailAnswer>

export const ResendVerificationInput = z.strictObject({
  email: Email,
  user_type: UserType,
  /** As at the registration. */
  next: z.optional(NextPath),
})
export type ResendVerificationInput = z.infer<typeof ResendVerificationInput>

/** Field names of POST /api/forget-password. */
export const ForgotPasswordInput = z.strictObject({
  email: Email,
  userType: UserType,
})
export type ForgotPasswordInput = z.infer<typeof ForgotPasswordInput>

/** Both fields of a new password say the same. */
export const samePasswords = z.refine<{ new_password: string; confirm_password: string }>(
  (input) => input.new_password === input.confirm_password,
  { error: 'Passwords do not match.', path: ['confirm_password'] },
)

export const ResetPasswordInput = z
  .strictObject({
    token: linkToken('reset_link_invalid'),
    new_password: NewPassword,
    confirm_password: z.string({ error: 'Passwords do not match.' }),
  })
  .check(samePasswords)
export type ResetPasswordInput = z.infer<typeof ResetPasswordInput>
/** Input of `auth.checkResetLink`; a mutation, because what a query asks stands in addresses. */
export const CheckResetLinkInput = z.strictObject({ token: linkToken('reset_link_invalid') })
export type CheckResetLinkInput = z.infer<typeof CheckResetLinkInput>
export const ResetPasswordAnswer = z.object({
  status: z.literal(true),
  /** Where to sign in afterwards. */
  user_type: UserType,
})
export type ResetPasswordAnswer = z.infer<typeof ResetPasswordAnswer>

export const ChangeEmailInput = z.strictObject({ email: Email, password: GivenPassword })
export type ChangeEmailInput = z.infer<typeof ChangeEmailInput>

/** The authenticator code where one is set up, the password otherwise. Good for five minutes. */
export const StepUpInput = z.strictObject({
  password: z.optional(GivenPassword),
  second_factor: z.optional(SecondFactor),
})
export type StepUpInput = z.infer<typeof StepUpInput>
export const StepUpAnswer = z.object({ stepped_up_until: IsoInstant })
export type StepUpAnswer = z.infer<typeof StepUpAnswer>
export const STEP_UP_MS = 5 * 60_000

/** A new secret, to be shown once as a QR code (`uri`) and as text to type (`secret`). */
export const SecondFactorSetup = z.object({ uri: z.string(), secret: z.string() })
export type SecondFactorSetup = z.infer<typeof SecondFactorSetup>
export const ConfirmSecondFactorInput = z.strictObject({
  code: z
    .string({ error: 'second_factor_wrong' })
    .check(z.trim(), z.regex(/^[0-9]{6}$/, { error: 'second_factor_wrong' })),
})
export type ConfirmSecondFactorInput = z.infer<typeof ConfirmSecondFactorInput>
/** Ten codes to write down, each good once in place of the app. Shown this once. */
export const RecoveryCodes = z.object({ recovery_codes: z.array(z.string()) })
export type RecoveryCodes = z.infer<typeof RecoveryCodes>

/** What a one-time code may be asked for. The object is what it is bound to, such as a hold. */
const CodePurpose = z.enum(['booking', 'erase'])
export const CODE_LENGTH = 6
export const CODE_LIFE_MS = 10 * 60_000
export const CODE_TRIES = 5
export const CODE_RESEND_MS = 60_000
/** A verified code is good for this long and for one use. */
export const CODE_VERIFIED_MS = 30 * 60_000
const CodeObject = z._default(z.string().check(z.maxLength(64)), '')

export const SendCodeInput = z.strictObject({ purpose: CodePurpose, object: CodeObject })
export type SendCodeInput = z.infer<typeof SendCodeInput>
export const SendCodeAnswer = z.object({
  /** Every character after the first two is an x. */
  email: z.string(),
  /** Not before then is another code sent. */
  resendAt: IsoInstant,
})
export type SendCodeAnswer = z.infer<typeof SendCodeAnswer>
export const CheckCodeInput = z.strictObject({
  purpose: CodePurpose,
  object: CodeObject,
  otp: CodeText,
})
export type CheckCodeInput = z.infer<typeof CheckCodeInput>
/** The documented boolean. */
export const CheckCodeAnswer = z.object({ status: z.boolean() })
export type CheckCodeAnswer = z.infer<typeof CheckCodeAnswer>

export const SessionView = z.object({
  id: SessionId,
  /** "Chrome on Windows", made from the user agent. */
  device: z.string(),
  network: z.string(),
  signedInAt: IsoInstant,
  lastUsedAt: IsoInstant,
  isThisOne: z.boolean(),
})
export type SessionView = z.infer<typeof SessionView>
export const EndSessionInput = z.strictObject({ id: SessionId })

/** Somebody to try the demo as. */
export const DemoAccount = z.object({
  email: z.string(),
  role: z.enum(['patient', 'provider', 'superuser', 'admin', 'editor', 'author']),
  who: z.string(),
})
export type DemoAccount = z.infer<typeof DemoAccount>
/** Null only looks around: the door opens and nobody is signed in. */
export const EnterDemoInput = z.strictObject({ email: z.nullable(Email) })
export type EnterDemoInput = z.infer<typeof EnterDemoInput>
export const EnterDemoAnswer = z.object({ status: z.literal(true), me: z.nullable(Me) })
export type EnterDemoAnswer = z.infer<typeof EnterDemoAnswer>

/** Done, and nothing to tell. */
export const Done = z.object({ status: z.literal(true) })
export type Done = z.infer<typeof Done>

/** The input of whatever needs none. */
export const Nothing = z.optional(z.strictObject({}))

export const ChangePasswordInput = z
  .strictObject({
    current_password: GivenPassword,
    new_password: NewPassword,
    confirm_password: z.string({ error: 'Passwords do not match.' }),
  })
  .check(samePasswords)
export type ChangePasswordInput = z.infer<typeof ChangePasswordInput>

/** In the place of a first password, by staff who came in with it. */
export const SetFirstPasswordInput = z
  .strictObject({
    new_password: NewPassword,
    confirm_password: z.string({ error: 'Passwords do not match.' }),
  })
  .check(samePasswords)
export type SetFirstPasswordInput = z.infer<typeof SetFirstPasswordInput>
