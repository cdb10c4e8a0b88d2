import { detailText, type ErrorDetails, type ErrorTable } from './error-table.ts'
import { registerMismatchText } from './register-mismatch.ts'

/** "1 visit is", "3 visits are"; "Visits are" when the count is unknown. */
function visitsText(details: ErrorDetails): string {
  const count = Number(details['visits'] ?? 0)
  if (count === 0) return 'Visits are'
  return count === 1 ? '1 visit is' : `${count} visits are`
}

/** Profiles, visit types, places, video and verification. */
export const providersErrors = {
  provider_not_bookable: { status: 'CONFLICT', text: 'This provider is not taking bookings.' },
  mode_not_offered: {
    status: 'CONFLICT',
    text: (d) =>
      d['mode'] === 'video'
        ? 'This provider doesn’t offer video visits at the moment. Choose an in-person visit.'
        : 'This provider sees patients by video only. Choose a video visit.',
  },
  visit_type_not_offered: {
    status: 'CONFLICT',
    text: 'This visit type is no longer offered. Choose another one.',
  },
  visit_type_unfit: {
    status: 'CONFLICT',
    text: 'The first visit type is the one search results show, so it has to be offered at every place and in a way you see patients. Put another one first, or change this one.',
  },
  last_visit_type: {
    status: 'CONFLICT',
    text: 'You need at least one visit type. Add another one before you archive this one.',
  },
  too_many_visit_types: {
    status: 'CONFLICT',
    text: (d) => `You can have up to ${detailText(d, 'max')} visit types. Archive one first.`,
  },
  state_missing: {
    status: 'CONFLICT',
    text: 'Choose the state you’ll be in during the video visit.',
  },
  state_not_licensed: {
    status: 'CONFLICT',
    text: (d) =>
      detailText(d, 'states') === ''
        ? 'This provider isn’t licensed in that state, so they can’t see you there by video.'
        : `This provider isn’t licensed in that state. They can see you by video while you’re in ${detailText(d, 'states')}.`,
  },
  not_by_video: { status: 'CONFLICT', text: 'This visit is in person.' },
  video_too_early: {
    status: 'CONFLICT',
    text: (d) => `It’s too early to join. You can join from ${detailText(d, 'from')}.`,
  },
  video_over: {
    status: 'CONFLICT',
    text: 'This video visit is over, so you can no longer join it.',
  },
  video_way_missing: {
    status: 'CONFLICT',
    text: 'Your provider hasn’t set up their video room. Call the practice, or write to our support team.',
  },
  profile_needs_check: {
    status: 'CONFLICT',
    text: 'Patients won’t find you until we’ve checked this against the register. Confirm to continue.',
  },
  claim_changed: {
    status: 'CONFLICT',
    text: 'The name or number changed while we were checking the register. Check it again.',
  },
  too_many_places: { status: 'CONFLICT', text: 'You already have six places. Remove one first.' },
  last_place: {
    status: 'CONFLICT',
    text: 'This is your only place. Add another one before you remove it.',
  },
  place_in_use: {
    status: 'CONFLICT',
    text: (d) =>
      `${visitsText(d)} booked here, and their patients know the old address. Add the new address as another place, and remove this one when they are over.`,
  },
  place_has_visits: {
    status: 'CONFLICT',
    text: (d) => `${visitsText(d)} booked here and will stay. Confirm to continue.`,
  },
  // Staff see the register's own message, if there is one.
  register_unavailable: {
    status: 'BAD_GATEWAY',
    text: (d) =>
      detailText(d, 'said') ||
      'The register is not answering. Nothing was compared and nothing is lost. Try again later.',
  },
  document_type: {
    status: 'UNSUPPORTED_MEDIA_TYPE',
    text: 'Upload a PDF, or a JPEG, PNG or WebP image.',
  },
  document_too_large: {
    status: 'PAYLOAD_TOO_LARGE',
    text: 'The document must be 5 MB or smaller.',
  },
  document_damaged: {
    status: 'UNPROCESSABLE_CONTENT',
    text: 'This document is damaged. Save it again and upload that file.',
  },
  company_sent: { status: 'CONFLICT', text: 'You’ve already sent your company’s details.' },
  company_decided: {
    status: 'CONFLICT',
    text: 'Someone else has already decided about this company. Check it again, then decide.',
  },
  register_disagrees: {
    status: 'CONFLICT',
    text: (d) => `${registerMismatchText(d)} The provider stays Unverified.`,
  },
  number_taken: {
    status: 'CONFLICT',
    text: 'Another account with this registration number is Verified. Decide about that one first.',
  },
  decided_meanwhile: {
    status: 'CONFLICT',
    text: 'Someone else has already decided about this provider. Check it again, then decide.',
  },
  proof_required: {
    status: 'CONFLICT',
    text: 'There is no proof yet that this person is the registrant. Accept a document, or send a code to a published address first.',
  },
  proof_decided: {
    status: 'CONFLICT',
    text: 'Someone else has already decided about this proof. Check it again, then decide.',
  },
} as const satisfies ErrorTable
