import type { AttemptName } from './limits/attempts.ts'
import type { AccountLetter, LocalTopic, OutboxPayloads, OutboxTopic } from './outbox-topics.ts'

/** Everything that sends an email; a new topic does not compile without a row below. */
export type EmailTopic =
  | Exclude<OutboxTopic, LocalTopic | 'account.letter'>
  | `letter.${AccountLetter}`

/** `system`: jobs, payments and what follows from them. `anybody`: people who are not signed in. */
type Causer = 'anybody' | 'patient' | 'provider' | 'staff' | 'system'

type EmailRule = {
  /** Whose acts cause it. Each causer has one budget for all topics (`causerLimits`). */
  by: readonly Causer[]
  /**
   * The mailbox whose budget it counts in, over all causers: one that the act names, or the causer's own. `none`
   * where nothing but its cause may hold it back.
   */
  mailbox: 'named' | 'own' | 'none'
  limits: readonly AttemptName[]
  /**
   * Beyond a budget: the act is refused; the act is done and says that no email was sent; or it is sent all the
   * same, because it must arrive and its cause is limited otherwise, as `bound` says.
   */
  beyond: 'refused' | 'unsent' | 'sent'
  bound: string
  /** Whether a person's own words may be in it: only for people who have confirmed their address. */
  words: boolean
  /** A provider has to be verified to cause it. */
  needsVerified: boolean
  /** It goes to addresses that nobody has confirmed, and carries a link that stops all such emails for good. */
  isStoppable: boolean
}

const plain = { words: false, needsVerified: false, isStoppable: false } as const

/** Must arrive: no budget of the recipient's, which a stranger could exhaust. */
const always = (bound: string) =>
  ({ ...plain, mailbox: 'none', limits: [], beyond: 'sent', bound }) as const

/** About what the account does itself; refused rather than untold, so that no notice is missed. */
const own = { ...plain, mailbox: 'own', limits: ['mail_own'], beyond: 'refused' } as const

/** To an address that a provider was given; no account, nothing confirmed. */
const desk = {
  ...plain,
  by: ['provider'],
  mailbox: 'named',
  limits: ['mail_desk', 'mail_desk_day'],
  beyond: 'unsent',
  bound: 'desk_visit',
  needsVerified: true,
  isStoppable: true,
} as const

/** A change of a paid visit that its patient has to know of: without the email there is no change. */
const change = {
  ...plain,
  mailbox: 'named',
  limits: ['mail_change'],
  beyond: 'refused',
  words: true,
  needsVerified: true,
} as const

const decision = {
  ...plain,
  by: ['staff'],
  mailbox: 'named',
  limits: ['mail_decided'],
  beyond: 'refused',
  words: true,
} as const

const registering = {
  ...plain,
  by: ['anybody'],
  mailbox: 'named',
  limits: ['mail_register'],
  beyond: 'refused',
} as const

const colleague = {
  ...plain,
  by: ['staff'],
  mailbox: 'named',
  limits: ['mail_invited'],
  beyond: 'refused',
  bound: 'staff_change',
} as const

/** What may cause an email, within which budgets (decision 072). */
export const emailRules = {
  'message.received': {
    ...always('contact, contact_provider, contact_site, and a challenge each'),
    by: ['anybody', 'patient', 'provider', 'staff'],
    words: true,
  },

  'desk.booked': desk,
  'desk.moved': desk,
  'desk.cancelled': desk,

  'booking.confirmed': { ...always('one payment each'), by: ['system', 'patient'] },
  'booking.cancelled': {
    ...always('one paid visit each, which is refunded'),
    by: ['patient', 'provider', 'staff', 'anybody'],
    words: true,
  },
  'booking.moved': {
    ...change,
    by: ['patient', 'provider', 'staff', 'anybody'],
    bound: 'three moves of a visit by its patient',
  },
  'booking.proposed': { ...change, by: ['provider'], bound: 'three proposals a visit' },
  'booking.kept': { ...always('one per proposal'), by: ['patient', 'anybody'] },
  'outcome.no_show': {
    ...change,
    words: false,
    needsVerified: false,
    by: ['provider', 'staff'],
    bound: 'one paid visit',
  },
  'claim.made': { ...always('one per visit'), by: ['patient'] },
  'claim.decided': { ...always('one per contest'), by: ['staff', 'provider'] },
  'reminder.due': { ...always('two per visit'), by: ['system'] },

  'payment.refunded': { ...always('one per refund'), by: ['system', 'staff'] },
  'payment.not_taken': { ...always('one per payment'), by: ['system'] },
  'payment.alert': { ...always('one per payment, to operators'), by: ['system'] },
  'payment.differences': { ...always('one a day, to operators'), by: ['system'] },

  'letter.verify': { ...registering, bound: 'register, verification, and a challenge each' },
  'letter.verify_provider': {
    ...registering,
    bound: 'register, verification, and a challenge each',
  },
  'letter.already_registered': { ...registering, bound: 'already_registered' },
  'letter.reset': {
    ...always('forgot_password; beyond it only while no link works'),
    by: ['anybody'],
  },
  'letter.confirm_address': {
    ...registering,
    by: ['patient', 'provider', 'staff'],
    bound: 'verification',
  },
  'letter.address_change_asked': {
    ...own,
    by: ['patient', 'provider', 'staff'],
    bound: 'verification',
  },
  'letter.email_changed': { ...always('one per link followed'), by: ['anybody'] },
  'letter.booking_code': { ...own, by: ['patient'], bound: 'code_hour, code_day' },
  'letter.erase_code': { ...own, by: ['patient', 'provider'], bound: 'code_hour, code_day' },
  'letter.password_changed': {
    ...own,
    by: ['patient', 'provider', 'staff', 'anybody'],
    bound: 'the password, or one link each',
  },
  'letter.second_factor_on': {
    ...own,
    by: ['patient', 'provider', 'staff'],
    bound: 'a step-up each',
  },
  'letter.second_factor_off': {
    ...own,
    by: ['patient', 'provider', 'staff'],
    bound: 'a step-up each',
  },
  'letter.recovery_used': {
    ...always('ten recovery codes'),
    by: ['anybody', 'patient', 'provider', 'staff'],
  },
  'letter.erased': { ...always('one per account'), by: ['patient', 'provider', 'system'] },
  'letter.staff_added': colleague,
  'letter.password_chosen': colleague,
  'letter.role_changed': colleague,
  // Somebody who must go can always be removed, and is told.
  'letter.staff_removed': { ...always('one per invitation'), by: ['staff'] },

  'bank.changed': { ...own, by: ['provider'], bound: 'bank_change' },
  'token.created': { ...own, by: ['patient', 'provider', 'staff'], bound: 'access_token' },
  'feed.created': { ...own, by: ['patient', 'provider'], bound: 'ten links at a time' },
  'outside.failing': { ...always('one a day and calendar'), by: ['system'] },

  'verification.lost': { ...always('one per nightly check'), by: ['system'] },
  'verification.decided': { ...decision, bound: 'the states a provider can go through' },
  'verification.asked': { ...decision, bound: 'ask_again' },
  'company.decided': { ...decision, bound: 'one per claim and decision' },
  'proof.offered': { ...decision, bound: 'ask_again' },
  'proof.refused': { ...decision, bound: 'one per proof' },
  'proof.code': {
    ...plain,
    by: ['provider'],
    mailbox: 'named',
    limits: ['mail_proof'],
    beyond: 'refused',
    bound: 'code_hour, code_day; staff have entered the address',
  },
} as const satisfies Record<EmailTopic, EmailRule>

type Rules = typeof emailRules

/** Outbox topics whose recipient has to be named when they are enqueued. */
export type NamedTopic =
  | 'account.letter'
  | Extract<
      { [T in EmailTopic]: Rules[T]['mailbox'] extends 'named' ? T : never }[EmailTopic],
      OutboxTopic
    >

/** Topics whose emails may hold a person's own words. */
export type WordyTopic = {
  [T in EmailTopic]: Rules[T]['words'] extends true ? T : never
}[EmailTopic]

/** The budget of each kind of causer, for all topics together. */
export const causerLimits = {
  patient: 'mail_patient',
  provider: 'mail_provider',
  staff: 'mail_staff',
  visitor: 'mail_visitor',
} as const satisfies Record<string, AttemptName>

const byTopic = new Map<string, EmailRule>(Object.entries(emailRules))

/**
 * The row of an outbox job; null for jobs that send no email. `insteadOf` for a letter that is never sent.
 */
export function ruleOf(
  topic: OutboxTopic,
  payload: OutboxPayloads[OutboxTopic],
  insteadOf: AccountLetter | undefined,
): EmailRule | null {
  const letter = insteadOf ?? ('letter' in payload ? payload.letter : '')
  return byTopic.get(topic === 'account.letter' ? `letter.${letter}` : topic) ?? null
}

/** Domains that ignore dots before the @. */
const DOTLESS = /@(?:gmail|googlemail)\.com$/

/**
 * One name for all spellings of a mailbox: without the part after a plus, which most providers ignore, and
 * without the dots that Gmail ignores. Budgets and stopped emails count by it.
 */
export function mailboxOf(address: string): string {
  const [local = '', domain = ''] = address.toLowerCase().split('@')
  if (domain === '') return address
  const base = local.replace(/(?<=.)\+.*$/, '')
  const isDotless = DOTLESS.test(`@${domain}`)
  return `${isDotless ? base.replaceAll('.', '') : base}@${isDotless ? 'gmail.com' : domain}`
}
