import { type ErrorText, postcodeLabel, searchErrorMessages } from '#contract/search.ts'
import type { ErrorCode, ErrorDetails } from './errors.ts'
import { Region, regionFacts } from './region.ts'

function detailText(details: ErrorDetails, key: string): string {
  const value = details[key]
  return value === undefined ? '' : String(value)
}

/** How long to wait, rounded as people say it: "45 seconds", "about 20 minutes", "about an hour". */
function waitText(details: ErrorDetails): string {
  const seconds = Number(details['retryAfterSeconds'] ?? 60)
  if (seconds === 1) return '1 second'
  if (seconds < 120) return `${seconds} seconds`
  const minutes = Math.ceil(seconds / 60)
  if (minutes < 45) return `about ${minutes} minutes`
  const hours = Math.round(minutes / 60)
  return hours === 1 ? 'about an hour' : `about ${hours} hours`
}

/** "1 visit is", "3 visits are"; "Visits are" when the count is unknown. */
function visitsText(details: ErrorDetails): string {
  const count = Number(details['visits'] ?? 0)
  if (count === 0) return 'Visits are'
  return count === 1 ? '1 visit is' : `${count} visits are`
}

/** The message for the limit reached: that of a patient in a day, of a network, or of a provider. */
function unpaidHoldsText(details: ErrorDetails): string {
  if (details['cap'] === 'patient') {
    return 'You’ve held too many times today without booking one. Try again tomorrow.'
  }
  return details['cap'] === 'network'
    ? 'Too many appointments are being held from your network right now. Try again in a few minutes.'
    : 'Many people are booking with this provider right now. Try again in a few minutes.'
}

/** The message for the limit reached: all upcoming visits of a patient, or those with one provider. */
function tooManyUpcomingText(details: ErrorDetails): string {
  const withWhom = details['cap'] === 'provider' ? ' with this provider' : ''
  return `You already have ${detailText(details, 'max')} upcoming visits${withWhom}, which is the most you can have at once. Cancel one you don’t need in your account, or book again once one of them is over.`
}

/**
 * For postcodes in Northern Ireland, whose locations nobody publishes: suggests a place to search instead.
 */
function nearbyText(details: ErrorDetails): string | undefined {
  const near = detailText(details, 'near')
  if (near === '') return undefined
  return `We don’t know where “${detailText(details, 'code')}” is: exact locations in Northern Ireland aren’t public. Check the postcode, or search near ${near} or another town.`
}

const errorMessages: Record<ErrorCode, ErrorText> = {
  ...searchErrorMessages,
  unknown_field: 'Unknown field.',
  not_json: 'The request was not valid JSON.',
  batch_too_large: 'Batch call exceeds maximum size',
  body_too_large: 'That is too long to send. Shorten it and try again.',
  unsupported_media_type: 'Send the request as JSON.',
  foreign_origin: 'Request came from another site.',
  method_not_allowed: 'That method is not allowed here.',
  not_found: 'We couldn’t find that.',
  sign_in_required: 'Sign in to continue.',
  forbidden: 'Your account can’t do this.',
  rate_limited: (d) => `Too many requests. Try again in ${waitText(d)}.`,
  postcode_unknown: (d) =>
    nearbyText(d) ??
    `We can’t find the ${postcodeLabel(d)} “${detailText(d, 'code')}”. Check it and try again.`,
  place_unknown: (d) =>
    `We can’t find a place called “${detailText(d, 'text')}”. Check it, or enter a ${postcodeLabel(d)}.`,
  postcode_without_place: (d) =>
    nearbyText(d) ??
    `“${detailText(d, 'code')}” isn’t a place on the map. Enter the ${postcodeLabel(d)} of where you want to be seen.`,
  postcode_military: (d) =>
    `“${detailText(d, 'code')}” is a military ZIP code overseas. Enter the ZIP code of where you want to be seen.`,
  place_in_other_region: (d) => {
    const region = Region.safeParse(d['otherRegion'])
    const where = region.success ? regionFacts[region.data].label : 'other region'
    return `“${detailText(d, 'label')}” is in the ${where}. Switch to the ${where} to search there.`
  },
  location_outside:
    'You seem to be outside the UK and the USA. Enter a postcode or ZIP code of where you want to be seen.',
  date_invalid: 'Enter a real date.',
  provider_not_found: 'We couldn’t find that provider. They may no longer take bookings here.',
  message_rejected: 'We couldn’t send this message. Check it and try again.',
  message_too_fast: 'That was very quick. Wait a moment, then send it again.',
  user_type_invalid: 'Choose patient or provider.',
  credentials_wrong: 'Email or password is incorrect.',
  email_unverified: 'Confirm your email address first: open the link in the email we sent you.',
  account_suspended: 'This account is suspended. Write to us to find out why.',
  second_factor_required: 'Enter the 6-digit code from your authenticator app.',
  second_factor_wrong: 'That code isn’t right. Enter the latest one, or a recovery code.',
  second_factor_setup_required: 'Set up an authenticator app to continue.',
  second_factor_mandatory: 'Your account needs its authenticator app. Set up another one instead.',
  session_ended: 'Your session has ended. Please sign in again.',
  step_up_required: 'Confirm it’s you to continue.',
  password_change_required: 'Choose a password of your own to continue.',
  first_password_used:
    'This first password has already been used. Ask a superuser to remove you and add you again.',
  first_password_chosen: 'You’ve already set your own password.',
  fields_missing: 'All fields are required.',
  staff_role_unknown: 'Choose superuser, admin, editor or author.',
  staff_role_missing: 'Please select a role.',
  staff_known: 'Someone on the staff already has this email address.',
  staff_changed: 'Someone else has changed this account since you opened it. Check it again.',
  last_superuser: 'At least one superuser must remain.',
  start_link_invalid:
    'This link has expired or was already used. Start the server again to get another one.',
  verify_link_invalid: 'This link has expired or was already used.',
  unsubscribe_link_invalid: 'This link doesn’t work any more.',
  visit_link_invalid:
    'This link doesn’t work any more. Links in emails work until the visit is over, and only for the email address they were sent to.',
  reset_link_invalid: 'This reset link has expired or was already used.',
  password_wrong: 'That isn’t your current password.',
  code_invalid: 'Invalid OTP',
  code_locked: 'Too many attempts. Request a new code.',
  code_required: 'Confirm the code we emailed you first.',
  captcha_required: 'Confirm you’re not a robot to continue.',
  captcha_invalid: 'That check has expired. Confirm again that you’re not a robot.',
  image_type: 'Upload a JPEG, PNG or WebP image.',
  image_too_large: 'Image must be 5 MB or smaller.',
  image_too_many_pixels: 'Image is too large (25 megapixels at most).',
  image_damaged: 'This image is damaged.',
  image_animated: 'Upload a still image, not an animation.',
  image_not_in_gallery: 'Choose an image from the gallery.',
  image_in_use: 'This image is on the homepage. Choose another one for the homepage first.',
  color_invalid: 'Choose a colour such as #0b6b5b, or one of the named ones.',
  gallery_full: 'You’ve reached your account’s limit of 50 images or 100 MB. Remove one first.',
  homepage_changed:
    'Someone else has changed this since you opened it. Check it again, then save. What you typed is still here.',
  slot_taken: 'Oops! This slot is already booked.',
  slot_not_offered: 'That time is not offered.',
  slot_passed: 'This time has already passed.',
  slot_impossible: 'This time does not exist on that day (clocks change).',
  provider_not_bookable: 'This provider is not taking bookings.',
  patient_gone: 'This patient has deleted their account. Refund the payment instead.',
  visits_overlap: (d) =>
    // Requests by the link of an email do not reveal the other visit's provider.
    d['provider'] === undefined
      ? 'You already have another appointment at this time.'
      : `You already have an appointment with ${detailText(d, 'provider')} at ${detailText(d, 'time')} on ${detailText(d, 'date')}.`,
  visits_changed: 'Your upcoming visits have changed. Review them, then delete your account.',
  terms_changed:
    'Your refund has changed since you opened this. Check the new amount, then confirm.',
  visit_begun: 'This visit has already started, so it can’t be changed.',
  visit_cancelled: 'This visit is already cancelled.',
  moves_used_up:
    'You’ve moved this visit three times, which is the limit. Contact the practice to agree another time, or cancel it.',
  proposals_used_up:
    'You’ve proposed times for this visit three times, which is the limit. Call the patient to agree one.',
  desk_time_taken:
    'You already have a visit then, or somebody is booking that time right now. Choose another time.',
  desk_over: 'This visit was before today, so it can’t be changed.',
  desk_marked: 'This visit is marked as completed or missed. Undo that first.',
  hours_overlap: (d) =>
    `These hours overlap: ${detailText(d, 'first')} and ${detailText(d, 'second')} ${detailText(d, 'when')}.`,
  hours_inverted: 'The end must be after the start.',
  hours_too_short: (d) =>
    `These hours are too short for a visit of ${detailText(d, 'minutes')} minutes.`,
  dates_inverted: 'The last day must not be before the first.',
  date_passed: 'That day is over. Choose today or a later day.',
  date_too_far: 'Choose a day within the next two years.',
  date_duplicate: (d) => `You’ve already added these hours on ${detailText(d, 'date')}.`,
  date_in_absence: (d) =>
    `You are away on ${detailText(d, 'date')}. Delete that time off first, or choose another day.`,
  absence_overlaps: (d) =>
    `You already have time off from ${detailText(d, 'from')} to ${detailText(d, 'to')}. Change that one instead.`,
  too_many_dates: 'That’s more dates than we can keep. Remove some first.',
  changed_meanwhile: (d) =>
    d['what'] === 'visit'
      ? 'This visit has changed since you opened it. Check it again.'
      : 'Your hours were changed in another window. Check them again, then save.',
  patients_only: 'Sign in as a patient to book.',
  superusers_only: 'Only superusers may do this.',
  admins_only: 'Only superusers and admins may do this.',
  editors_only: 'Only superusers, admins and editors may do this.',
  too_many_holds: 'You’re already holding three times. Book or release one of them first.',
  too_many_unpaid_holds: unpaidHoldsText,
  too_many_coming: tooManyUpcomingText,
  hold_expired: 'Your hold has ended. Choose a time again.',
  hold_renewed: 'You can extend a hold only once.',
  hold_paid: 'This visit is already paid for.',
  follow_up_refused:
    'The follow-up fee is for people who have been here before. Choose a first visit.',
  claim_changed: 'The name or number changed while we were checking the register. Check it again.',
  visit_type_not_offered: 'This visit type is no longer offered. Choose another one.',
  visit_type_unfit:
    'The first visit type is the one search results show, so it has to be offered at every place and in a way you see patients. Put another one first, or change this one.',
  last_visit_type: 'You need at least one visit type. Add another one before you archive this one.',
  too_many_visit_types: (d) =>
    `You can have up to ${detailText(d, 'max')} visit types. Archive one first.`,
  mode_not_offered: (d) =>
    d['mode'] === 'video'
      ? 'This provider doesn’t offer video visits at the moment. Choose an in-person visit.'
      : 'This provider sees patients by video only. Choose a video visit.',
  state_missing: 'Choose the state you’ll be in during the video visit.',
  state_not_licensed: (d) =>
    detailText(d, 'states') === ''
      ? 'This provider isn’t licensed in that state, so they can’t see you there by video.'
      : `This provider isn’t licensed in that state. They can see you by video while you’re in ${detailText(d, 'states')}.`,
  not_by_video: 'This visit is in person.',
  video_too_early: (d) => `It’s too early to join. You can join from ${detailText(d, 'from')}.`,
  video_over: 'This video visit is over, so you can no longer join it.',
  video_way_missing:
    'Your provider hasn’t set up their video room. Call the practice, or write to our support team.',
  profile_needs_check:
    'Patients won’t find you until we’ve checked this against the register. Confirm to continue.',
  too_many_places: 'You already have six places. Remove one first.',
  last_place: 'This is your only place. Add another one before you remove it.',
  place_in_use: (d) =>
    `${visitsText(d)} booked here, and their patients know the old address. Add the new address as another place, and remove this one when they are over.`,
  place_has_visits: (d) => `${visitsText(d)} booked here and will stay. Confirm to continue.`,
  price_changed: 'The price shown is out of date. Reload the page to see the current one.',
  sort_unknown: 'Unknown sort field.',
  year_missing: 'Please enter a year',
  payment_busy:
    'A payment for this visit is being made elsewhere. Finish it there, or wait a minute.',
  refund_nothing: 'There’s nothing here to refund.',
  refund_too_much: (d) =>
    `You can refund up to ${detailText(d, 'left')}. Someone may have refunded part of it already.`,
  refund_over_limit: (d) =>
    `Only superusers can refund more than ${detailText(d, 'limit')} of one payment in total.`,
  release_impossible:
    'Only an upcoming visit whose payment is refunded in full can be cancelled here.',
  review_decided: 'Someone else has already decided about this payment. Check it again.',
  review_not_covered: 'The amount received doesn’t pay for the visit. Refund it instead.',
  review_other_payment:
    'The patient is paying for this visit another way. Try again once that payment has ended, or refund this one.',
  payment_gateway_down:
    'The payment service is not answering. Nothing was charged. Try again in a minute.',
  // Staff see the register's own message, if there is one.
  register_unavailable: (d) =>
    detailText(d, 'said') ||
    'The register is not answering. Nothing was compared and nothing is lost. Try again later.',
  document_type: 'Upload a PDF, or a JPEG, PNG or WebP image.',
  document_too_large: 'The document must be 5 MB or smaller.',
  document_damaged: 'This document is damaged. Save it again and upload that file.',
  register_disagrees: (d) => `${registerMismatchText(d)} The provider stays Unverified.`,
  number_taken:
    'Another account with this registration number is Verified. Decide about that one first.',
  decided_meanwhile:
    'Someone else has already decided about this provider. Check it again, then decide.',
  proof_required:
    'There is no proof yet that this person is the registrant. Accept a document, or send a code to a published address first.',
  proof_decided: 'Someone else has already decided about this proof. Check it again, then decide.',
  company_decided:
    'Someone else has already decided about this company. Check it again, then decide.',
  company_sent: 'You’ve already sent your company’s details.',
  signature_invalid: 'Invalid signature.',
  key_reused: 'This request was already used with different details.',
  key_running: 'We’re still working on this request. Try again in a few seconds.',
  access_token_invalid: 'This access token no longer works. Create another one in your account.',
  access_token_scope: (d) => `This access token can’t do that: it lacks ${detailText(d, 'scope')}.`,
  access_token_never: 'Access tokens can’t do that. Sign in instead.',
  outcome_not_booked: 'This visit is no longer booked.',
  outcome_final: 'This visit didn’t take place and is refunded. That can’t be changed.',
  outcome_too_early: 'It’s too early for that.',
  outcome_closed: 'This can no longer be changed. Write to our support team.',
  outcome_refund_changed: 'The refund has changed. Check it again.',
  outcome_contested: 'The patient contests this visit. Decide about it under contested visits.',
  answer_impossible: 'This can no longer be answered.',
  contest_impossible: 'This visit can no longer be contested.',
  contest_made: 'You’ve already told us about this visit.',
  claim_decided: 'Someone has already decided about this.',
  import_full: 'A file can have 5,000 appointments. Split it and import the rest as a second file.',
  imports_full:
    'You already have 20,000 imported appointments. Undo an import before you add another.',
  outside_calendars_full: 'You already have 5 calendars. Remove one before you add another.',
  outside_calendar_known: 'You’ve already added this calendar.',
  outside_calendar_refused: 'The calendar wasn’t added: it can’t be read.',
  calendar_feeds_full: 'You already have 3 calendar links. Revoke one before you create another.',
  access_tokens_full: 'You already have 20 access tokens. Revoke one before you create another.',
  favourites_full: 'You’ve saved 100 providers, which is the most we keep. Remove one first.',
  // The documented words with the space at their end.
  bank_account_last: 'You cannot delete this primary account, as there is no secondary accounts ',
  bank_account_known: 'You’ve already added this account.',
  bank_account_changed:
    'This account was changed elsewhere. Close this, check the account and then change it.',
  bank_account_not_found: 'This account is no longer here. It may have been deleted elsewhere.',
  bank_accounts_full: 'You already have five accounts. Delete one before you add another.',
  upstream_unavailable: 'A service we depend on is not answering. Try again in a minute.',
  busy: 'We are very busy right now. Try again in a few seconds.',
  internal: 'Something went wrong on our side. Try again in a minute.',
}

/** The message for a code, which the server sends with every failure. */
export function errorMessage(code: ErrorCode, details: ErrorDetails = {}): string {
  const sentence = errorMessages[code]
  return typeof sentence === 'string' ? sentence : sentence(details)
}

/** What a register says about somebody who may not practise; follows "the register". */
const registrationStatusText = new Map([
  ['conditions', 'has conditions on the registration'],
  ['provisional', 'has the registration as provisional'],
  ['no_licence', 'has the registration without a licence to practise'],
  ['suspended', 'has the registration as suspended'],
  ['struck_off', 'has ended the registration'],
  ['not_registered', 'does not show them as registered'],
  ['deactivated', 'has deactivated the number'],
])

/** Why a register does not support a claim, from the differences and the status in the details. */
export function registerMismatchText(details: ErrorDetails): string {
  const { body } = details
  const register = body === undefined ? 'The register' : `The ${body} register`
  if (details['outcome'] === 'not_found') return `${register} has no such number.`
  const found = String(details['differences']).split(' ')
  const parts: string[] = []
  if (found.includes('number')) parts.push('has another number')
  if (found.includes('name')) parts.push('has another name with this number')
  if (found.includes('standing')) {
    parts.push(
      registrationStatusText.get(String(details['standing'])) ??
        'says something we don’t recognise',
    )
  }
  return `${register} ${parts.join(' and ') || 'doesn’t confirm this'}.`
}
