import { detailText, type ErrorDetails, type ErrorTable } from './error-table.ts'

/** The message for the limit reached: all upcoming visits of a patient, or those with one provider. */
function tooManyUpcomingText(details: ErrorDetails): string {
  const withWhom = details['cap'] === 'provider' ? ' with this provider' : ''
  return `You already have ${detailText(details, 'max')} upcoming visits${withWhom}, which is the most you can have at once. Cancel one you don’t need in your account, or book again once one of them is over.`
}

/** Times, holds, visits and their outcomes. */
export const visitsErrors = {
  slot_taken: { status: 'CONFLICT', text: 'Oops! This slot is already booked.' },
  slot_not_offered: { status: 'NOT_FOUND', text: 'That time is not offered.' },
  slot_passed: { status: 'CONFLICT', text: 'This time has already passed.' },
  slot_impossible: {
    status: 'UNPROCESSABLE_CONTENT',
    text: 'This time does not exist on that day (clocks change).',
  },
  patient_gone: {
    status: 'CONFLICT',
    text: 'This patient has deleted their account. Refund the payment instead.',
  },
  visits_overlap: {
    status: 'CONFLICT',
    text: (d) =>
      // Requests by the link of an email do not reveal the other visit's provider.
      d['provider'] === undefined
        ? 'You already have another appointment at this time.'
        : `You already have an appointment with ${detailText(d, 'provider')} at ${detailText(d, 'time')} on ${detailText(d, 'date')}.`,
  },
  visits_changed: {
    status: 'CONFLICT',
    text: 'Your upcoming visits have changed. Review them, then delete your account.',
  },
  terms_changed: {
    status: 'CONFLICT',
    text: 'Your refund has changed since you opened this. Check the new amount, then confirm.',
  },
  visit_begun: {
    status: 'CONFLICT',
    text: 'This visit has already started, so it can’t be changed.',
  },
  visit_cancelled: { status: 'CONFLICT', text: 'This visit is already cancelled.' },
  moves_used_up: {
    status: 'CONFLICT',
    text: 'You’ve moved this visit three times, which is the limit. Contact the practice to agree another time, or cancel it.',
  },
  proposals_used_up: {
    status: 'CONFLICT',
    text: 'You’ve proposed times for this visit three times, which is the limit. Call the patient to agree one.',
  },
  desk_time_taken: {
    status: 'CONFLICT',
    text: 'You already have a visit then, or somebody is booking that time right now. Choose another time.',
  },
  desk_over: { status: 'CONFLICT', text: 'This visit was before today, so it can’t be changed.' },
  desk_marked: {
    status: 'CONFLICT',
    text: 'This visit is marked as completed or missed. Undo that first.',
  },
  too_many_holds: {
    status: 'CONFLICT',
    text: 'You’re already holding three times. Book or release one of them first.',
  },
  too_many_unpaid_holds: {
    status: 'TOO_MANY_REQUESTS',
    text: 'You’ve held too many times today without booking one. Try again tomorrow.',
  },
  too_many_coming: { status: 'CONFLICT', text: tooManyUpcomingText },
  hold_expired: { status: 'CONFLICT', text: 'Your hold has ended. Choose a time again.' },
  hold_renewed: { status: 'CONFLICT', text: 'You can extend a hold only once.' },
  hold_paid: { status: 'CONFLICT', text: 'This visit is already paid for.' },
  follow_up_refused: {
    status: 'CONFLICT',
    text: 'The follow-up fee is for people who have been here before. Choose a first visit.',
  },
  outcome_not_booked: { status: 'CONFLICT', text: 'This visit is no longer booked.' },
  outcome_final: {
    status: 'CONFLICT',
    text: 'This visit didn’t take place and is refunded. That can’t be changed.',
  },
  outcome_too_early: { status: 'CONFLICT', text: 'It’s too early for that.' },
  outcome_closed: {
    status: 'CONFLICT',
    text: 'This can no longer be changed. Write to our support team.',
  },
  outcome_refund_changed: { status: 'CONFLICT', text: 'The refund has changed. Check it again.' },
  contest_impossible: { status: 'CONFLICT', text: 'This visit can no longer be contested.' },
  answer_impossible: { status: 'CONFLICT', text: 'This can no longer be answered.' },
  outcome_contested: {
    status: 'CONFLICT',
    text: 'The patient contests this visit. Decide about it under contested visits.',
  },
  contest_made: { status: 'CONFLICT', text: 'You’ve already told us about this visit.' },
  claim_decided: { status: 'CONFLICT', text: 'Someone has already decided about this.' },
} as const satisfies ErrorTable
