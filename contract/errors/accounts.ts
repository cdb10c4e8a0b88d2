import type { ErrorTable } from './error-table.ts'

/** Accounts, sessions, codes, links and staff. */
export const accountsErrors = {
  user_type_invalid: { status: 'BAD_REQUEST', text: 'Choose patient or provider.' },
  credentials_wrong: { status: 'UNAUTHORIZED', text: 'Email or password is incorrect.' },
  email_unverified: {
    status: 'FORBIDDEN',
    text: 'Confirm your email address first: open the link in the email we sent you.',
  },
  account_suspended: {
    status: 'FORBIDDEN',
    text: 'This account is suspended. Write to us to find out why.',
  },
  user_type_required: {
    status: 'CONFLICT',
    text: 'Choose which of your accounts to sign in to.',
  },
  second_factor_required: {
    status: 'UNAUTHORIZED',
    text: 'Enter the 6-digit code from your authenticator app.',
  },
  second_factor_wrong: {
    status: 'UNAUTHORIZED',
    text: 'That code isn’t right. Enter the latest one, or a recovery code.',
  },
  second_factor_setup_required: {
    status: 'FORBIDDEN',
    text: 'Set up an authenticator app to continue.',
  },
  second_factor_mandatory: {
    status: 'CONFLICT',
    text: 'Your account needs its authenticator app. Set up another one instead.',
  },
  session_ended: { status: 'UNAUTHORIZED', text: 'Your session has ended. Please sign in again.' },
  step_up_required: { status: 'FORBIDDEN', text: 'Confirm it’s you to continue.' },
  password_change_required: {
    status: 'FORBIDDEN',
    text: 'Choose a password of your own to continue.',
  },
  first_password_used: {
    status: 'UNAUTHORIZED',
    text: 'This first password has already been used. Ask a superuser to remove you and add you again.',
  },
  first_password_chosen: { status: 'CONFLICT', text: 'You’ve already set your own password.' },
  fields_missing: { status: 'BAD_REQUEST', text: 'All fields are required.' },
  staff_role_unknown: { status: 'BAD_REQUEST', text: 'Choose superuser, admin, editor or author.' },
  staff_role_missing: { status: 'BAD_REQUEST', text: 'Please select a role.' },
  staff_known: { status: 'CONFLICT', text: 'Someone on the staff already has this email address.' },
  staff_changed: {
    status: 'CONFLICT',
    text: 'Someone else has changed this account since you opened it. Check it again.',
  },
  last_superuser: { status: 'CONFLICT', text: 'At least one superuser must remain.' },
  start_link_invalid: {
    status: 'BAD_REQUEST',
    text: 'This link has expired or was already used. Start the server again to get another one.',
  },
  verify_link_invalid: {
    status: 'BAD_REQUEST',
    text: 'This link has expired or was already used.',
  },
  unsubscribe_link_invalid: { status: 'BAD_REQUEST', text: 'This link doesn’t work any more.' },
  visit_link_invalid: {
    status: 'NOT_FOUND',
    text: 'This link doesn’t work any more. Links in emails work until the visit is over, and only for the email address they were sent to.',
  },
  reset_link_invalid: {
    status: 'BAD_REQUEST',
    text: 'This reset link has expired or was already used.',
  },
  password_wrong: { status: 'BAD_REQUEST', text: 'That isn’t your current password.' },
  code_invalid: { status: 'BAD_REQUEST', text: 'Invalid OTP' },
  code_locked: { status: 'TOO_MANY_REQUESTS', text: 'Too many attempts. Request a new code.' },
  code_required: { status: 'CONFLICT', text: 'Confirm the code we emailed you first.' },
  favourites_full: {
    status: 'CONFLICT',
    text: 'You’ve saved 100 providers, which is the most we keep. Remove one first.',
  },
  calendar_feeds_full: {
    status: 'CONFLICT',
    text: 'You already have 3 calendar links. Revoke one before you create another.',
  },
} as const satisfies ErrorTable
