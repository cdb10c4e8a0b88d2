/** Stands below the ways to pay, before and while the time is held. */
export const PAY_LATER =
  'You pay at the end, once you have confirmed a code that we email you. You won’t be charged until then.'
