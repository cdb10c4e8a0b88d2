import { formatAnyCurrency } from '#app/lib/dates/format.ts'
import { groupBy } from '#app/lib/group-by.ts'
import type { AuditEntry } from '#contract/audit.ts'
import { dateFormat } from '#contract/base/intl.ts'
import { errorMessage, isErrorCode } from '#contract/base/sentences.ts'

/** A phrase for every action the server logs, to be read with the actor as its subject. */
export const actionLabels: Readonly<Record<string, string>> = {
  'access_token.created': 'Created an access token',
  'access_token.revoked': 'Revoked an access token',
  'account.details_changed': 'Changed the details of their account',
  'account.email_change_asked': 'Asked to change their email address',
  'account.email_changed': 'Changed their email address',
  'account.email_verified': 'Confirmed their email address',
  'account.erased': 'Erased their account',
  'account.exported': 'Exported their data',
  'account.registered': 'Registered',
  'account.terms_accepted': 'Agreed to the terms of use',
  'account.registered_again': 'Tried to register an address that has an account',
  'account.verification_asked': 'Asked for the confirmation email again',
  'audit.exported': 'Exported part of the audit log',
  'audit.verified': 'Checked the integrity of the audit log',
  'availability.absence_added': 'Added time off',
  'availability.block_added': 'Blocked part of a day',
  'availability.block_removed': 'Removed a block',
  'availability.absence_removed': 'Removed time off',
  'availability.date_removed': 'Removed an extra date',
  'availability.dates_added': 'Added extra dates',
  'availability.exported': 'Exported their hours',
  'availability.hours_saved': 'Saved their weekly hours',
  'bank.added': 'Added a bank account',
  'bank.deleted': 'Deleted a bank account',
  'bank.edited': 'Changed a bank account',
  'bank.primary_set': 'Made a bank account the primary one',
  'bank.viewed': 'Looked at their bank accounts',
  'booking.cancelled': 'Cancelled a visit',
  'booking.confirmed': 'Booked a visit',
  'booking.described': 'Entered the purpose of a visit',
  'booking.held': 'Held a time',
  'booking.moved': 'Moved a visit',
  'booking.proposed': 'Proposed times for a visit',
  'booking.proposal_dismissed': 'Kept the time of a visit',
  'booking.payment_begun': 'Started paying for a visit',
  'booking.released': 'Released a held time',
  'booking.renewed': 'Held a time for longer',
  'booking.revived': 'Restored a booking whose hold had ended',
  'booking.taken_over': 'Kept the hold they made before signing in',
  'desk.added': 'Added a phone or walk-in visit',
  'desk.cancelled': 'Cancelled a phone or walk-in visit',
  'desk.edited': 'Edited a phone or walk-in visit',
  'desk.moved': 'Moved a phone or walk-in visit',
  'calendar_feed.created': 'Created a calendar link',
  'calendar_feed.revoked': 'Revoked a calendar link',
  'call.denied': 'Was denied access',
  'claim.answered': 'Responded to a contested visit',
  'claim.decided': 'Decided about a contested visit',
  'claim.made': 'Contested a missed visit',
  'claim.read': 'Viewed the contested visits',
  'code.refused': 'Entered a wrong one-time code',
  'code.sent': 'Was sent a one-time code',
  'code.verified': 'Entered the right one-time code',
  'company.decided': 'Decided about a company',
  'company.document_uploaded': 'Uploaded a document of their company',
  'company.document_viewed': 'Looked at a document of a company',
  'company.sent': 'Sent the details of their company',
  'favourite.removed': 'Removed a saved provider',
  'favourite.saved': 'Saved a provider',
  'gallery.described': 'Described an image of the gallery',
  'gallery.removed': 'Removed an image from the gallery',
  'gallery.uploaded': 'Uploaded an image to the gallery',
  'homepage.changed': 'Changed the homepage',
  'homepage.image_uploaded': 'Uploaded an image for the notice of the homepage',
  'import.removed': 'Undid an import of appointments',
  'import.rows_added': 'Imported appointments from a file',
  'mail.retried': 'Resent a failed email',
  'outside_calendar.added': 'Added an external calendar',
  'outside_calendar.changed': 'Changed an external calendar',
  'outside_calendar.removed': 'Removed an external calendar',
  'password.changed': 'Changed their password',
  'password.chosen': 'Replaced their first password',
  'password.refused': 'Entered a wrong password',
  'password.reset': 'Reset their password',
  'password.reset_asked': 'Asked to reset a password',
  'payment.accepted': 'Accepted a payment in review',
  'payment.began': 'Began a payment',
  'payment.declined': 'Had a payment declined',
  'payment.difference_settled': 'Resolved a payment discrepancy',
  'payment.differs': 'Found a discrepancy with the gateway’s records',
  'payment.expired': 'Let a payment expire',
  'payment.history_exported': 'Exported the payment history',
  'payment.history_printed': 'Printed the payment history',
  'payment.own_history_exported': 'Exported their own booked history',
  'payment.mismatch': 'Found an amount that doesn’t match',
  'payment.names_read': 'Read names in the payment history',
  'payment.paid': 'Paid',
  'payment.price_differs': 'Sent a price that differs from ours',
  'payment.refund_asked': 'Asked for a refund',
  'payment.refund_due': 'Marked a payment for refund',
  'payment.refund_failed': 'Could not refund a payment',
  'payment.refund_settled': 'Marked a payment as refunded',
  'payment.refunded': 'Refunded a payment',
  'payment.returned': 'Decided to refund a payment in review',
  'photo.removed': 'Removed their picture',
  'photo.uploaded': 'Uploaded their picture',
  'profile.about_changed': 'Changed the text of their profile',
  'profile.identity_changed': 'Changed name or registration of their profile',
  'profile.main_place_changed': 'Changed their main place',
  'profile.offer_changed': 'Changed fees or terms of their profile',
  'profile.place_added': 'Added a place',
  'profile.place_changed': 'Changed a place',
  'profile.place_zone_changed': 'Changed the time zone of a place',
  'profile.place_removed': 'Removed a place',
  'profile.visit_type_added': 'Added a visit type',
  'profile.visit_type_archived': 'Archived a visit type',
  'profile.visit_type_changed': 'Changed a visit type',
  'profile.visit_type_restored': 'Offered an archived visit type again',
  'profile.visit_types_ordered': 'Reordered their visit types',
  'proof.accepted': 'Accepted a provider’s proof of identity',
  'proof.address_entered': 'Entered a published address for a provider',
  'proof.refused': 'Refused a provider’s proof of identity',
  'proof.sent': 'Sent proof of their identity',
  'reminders.changed': 'Changed which reminders they get',
  'reminders.unsubscribed': 'Turned off reminders with the link in an email',
  'mail.stopped': 'Stopped emails about phone and walk-in visits',
  'second_factor.begun': 'Started setting up an authenticator app',
  'second_factor.recovery_used': 'Used a recovery code',
  'second_factor.refused': 'Entered a wrong authenticator code',
  'second_factor.removed': 'Removed their authenticator app',
  'second_factor.set': 'Set up an authenticator app',
  'session.began': 'Signed in',
  'session.ended': 'Ended one of their sessions',
  'session.idled_out': 'Was signed out for inactivity',
  'session.refused': 'Could not sign in',
  'session.replaced': 'Was signed out by another sign-in',
  'session.signed_out': 'Signed out',
  'session.signed_out_everywhere': 'Signed out everywhere',
  'session.stepped_up': 'Confirmed their identity',
  'session.token_reused': 'Reused a session token',
  'staff.added': 'Added somebody to the staff',
  'staff.began': 'Became the first superuser',
  'staff.recovered': 'Restored a superuser’s access from the server',
  'staff.removed': 'Removed somebody from the staff',
  'staff.role_changed': 'Changed the role of somebody on the staff',
  'verification.answered': 'Answered what staff asked for',
  'verification.asked_again': 'Asked a provider for more information',
  'verification.decided': 'Decided about a provider',
  'verification.looked_up': 'Checked a register',
  'verification.lost': 'Withdrew a provider’s verification',
  'visit.flags_read': 'Viewed frequent cancellations',
  'visit.link_used': 'Used the link in an email about a visit',
  'visit.joined': 'Joined a video visit',
  'visit.marked': 'Recorded the outcome of a visit',
  'visit.corrected': 'Corrected the outcome of a visit',
  'visit.refilled': 'Late cancellation fee refunded: the time was booked again',
  'visit.opened': 'Opened a visit and its patient’s contact details',
  'visit.purpose_read': 'Viewed the purpose of a visit',
  'visit.exported': 'Exported their visits',
  'webhook.refused': 'Rejected a webhook with an invalid signature',
}

/** Wording of an action. An action newer than this bundle is shown by its name. */
export function actionLabel(action: string): string {
  return actionLabels[action] ?? action.replace('.', ': ').replaceAll('_', ' ')
}

const groupLabels: Readonly<Record<string, string>> = {
  access_token: 'Access tokens',
  account: 'Accounts',
  audit: 'Audit log',
  availability: 'Availability',
  bank: 'Bank accounts',
  booking: 'Bookings',
  call: 'Refusals',
  code: 'One-time codes',
  company: 'Companies',
  desk: 'Phone and walk-in visits',
  favourite: 'Saved providers',
  gallery: 'Gallery',
  homepage: 'Homepage',
  mail: 'Email',
  password: 'Passwords',
  payment: 'Payments',
  photo: 'Pictures',
  profile: 'Profiles',
  proof: 'Proofs of identity',
  calendar_feed: 'Calendar links',
  import: 'Imports',
  outside_calendar: 'External calendars',
  claim: 'Contested visits',
  reminders: 'Reminders',
  second_factor: 'Second factors',
  session: 'Sessions',
  staff: 'Staff',
  verification: 'Verification',
  visit: 'Visits',
  webhook: 'Webhooks',
}

/** All actions for a select, grouped by subject and sorted alphabetically. */
export function actionGroups(): { label: string; actions: string[] }[] {
  const groups = groupBy(Object.keys(actionLabels), (action) => action.split('.')[0] ?? '')
  return [...groups]
    .map(([thing, actions]) => ({ label: groupLabels[thing] ?? thing, actions }))
    .toSorted((a, b) => a.label.localeCompare(b.label, 'en'))
}

/** "21 Nov 2026, 13:05:09" in UTC, the log's time zone. */
export function entryTime(at: string): string {
  return dateFormat('en-GB', {
    timeZone: 'UTC',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  }).format(new Date(at))
}

const actorLabels = {
  visitor: 'A visitor',
  patient: 'A patient',
  provider: 'A provider',
  staff: 'Former staff',
  system: 'The system',
} as const

/** The actor: staff by email, providers by their name at the time, others by kind. */
export function entryActor({ actor }: AuditEntry): string {
  return actor.email ?? actor.name ?? actorLabels[actor.kind]
}

/** Wording for decisions that depends on their outcome. */
const decisionLabels: Readonly<Record<string, string>> = {
  'verification.decided Verified': 'Verified',
  'verification.decided Unverified': 'Refused',
  'company.decided accepted': 'Accepted the company',
  'company.decided refused': 'Refused the company',
}

/** What was done, with whom or what it was done to: "Verified Dr Amara Okafor, GMC 7654321". */
export function entryText(entry: AuditEntry): string {
  const { action, details, entityName, entityEmail } = entry
  const decided = decisionLabels[`${action} ${details['decision'] ?? ''}`]
  if (decided !== undefined && entityName !== null) return `${decided} ${entityName}`
  if (action === 'staff.added' && entityEmail !== null) return `Added ${entityEmail} to the staff`
  return actionLabel(action)
}

/** The amount of an action as text; null if it has none. */
export function entryAmount({ details }: AuditEntry): string | null {
  const { currency } = details
  const minor = details['amount'] ?? details['minor']
  if (typeof minor !== 'number' || typeof currency !== 'string') return null
  return formatAnyCurrency({ minor, currency })
}

const AMOUNT_KEYS: ReadonlySet<string> = new Set(['amount', 'minor', 'currency'])

/** The remaining details of an entry, under their stored names. */
export function entryDetails(entry: AuditEntry): [string, string][] {
  const money = entryAmount(entry)
  const facts = Object.entries(entry.details).map(([name, value]): [string, string] => [
    name,
    String(value),
  ])
  if (money === null) return facts
  return [['amount', money], ...facts.filter(([name]) => !AMOUNT_KEYS.has(name))]
}

/** The subject of an entry, kept short; null when the action's wording says it all. */
export function entrySubject(entry: AuditEntry): string | null {
  const { action, entity, entityEmail, entityName, details } = entry
  if (action === 'staff.role_changed') {
    return `${entityEmail ?? 'a former member of staff'}, from ${details['from']} to ${details['to']}`
  }
  if (action === 'call.denied') {
    const { code } = details
    return [entity, isErrorCode(code) ? errorMessage(code) : null].filter(Boolean).join(': ')
  }
  const { code } = details
  const message = isErrorCode(code) ? errorMessage(code) : null
  // Not repeated if the action's wording already contains it.
  const name = entityName ?? entityEmail
  const isNamed = name !== null && entryText(entry).includes(name)
  return [isNamed ? null : name, entryAmount(entry), message].filter(Boolean).join(', ') || null
}

export const outcomeLabels = { ok: 'Done', denied: 'Denied', failed: 'Failed' } as const
