import { detailText, type ErrorTable } from './error-table.ts'

/** Payments, refunds, their review, and bank accounts. */
export const paymentsErrors = {
  price_changed: {
    status: 'CONFLICT',
    text: 'The price shown is out of date. Reload the page to see the current one.',
  },
  payment_busy: {
    status: 'CONFLICT',
    text: 'A payment for this visit is being made elsewhere. Finish it there, or wait a minute.',
  },
  refund_nothing: { status: 'CONFLICT', text: 'There’s nothing here to refund.' },
  refund_too_much: {
    status: 'CONFLICT',
    text: (d) =>
      `You can refund up to ${detailText(d, 'left')}. Someone may have refunded part of it already.`,
  },
  refund_over_limit: {
    status: 'FORBIDDEN',
    text: (d) =>
      `Only superusers can refund more than ${detailText(d, 'limit')} of one payment in total.`,
  },
  release_impossible: {
    status: 'CONFLICT',
    text: 'Only an upcoming visit whose payment is refunded in full can be cancelled here.',
  },
  review_decided: {
    status: 'CONFLICT',
    text: 'Someone else has already decided about this payment. Check it again.',
  },
  review_not_covered: {
    status: 'CONFLICT',
    text: 'The amount received doesn’t pay for the visit. Refund it instead.',
  },
  review_other_payment: {
    status: 'CONFLICT',
    text: 'The patient is paying for this visit another way. Try again once that payment has ended, or refund this one.',
  },
  payment_gateway_down: {
    status: 'BAD_GATEWAY',
    text: 'The payment service is not answering. Nothing was charged. Try again in a minute.',
  },
  // The documented words with the space at their end.
  bank_account_last: {
    status: 'CONFLICT',
    text: 'You cannot delete this primary account, as there is no secondary accounts ',
  },
  bank_account_known: { status: 'CONFLICT', text: 'You’ve already added this account.' },
  bank_account_changed: {
    status: 'CONFLICT',
    text: 'This account was changed elsewhere. Close this, check the account and then change it.',
  },
  bank_account_not_found: {
    status: 'NOT_FOUND',
    text: 'This account is no longer here. It may have been deleted elsewhere.',
  },
  bank_accounts_full: {
    status: 'CONFLICT',
    text: 'You already have five accounts. Delete one before you add another.',
  },
} as const satisfies ErrorTable
