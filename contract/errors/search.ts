import { type ErrorTable, postcodeLabel } from './error-table.ts'

/** What can be wrong with a search; the page can report it without asking the server. */
export const searchErrors = {
  invalid_input: { status: 'BAD_REQUEST', text: 'Check the highlighted fields and try again.' },
  place_missing: { status: 'BAD_REQUEST', text: (d) => `Enter a ${postcodeLabel(d)} or a town.` },
  place_invalid: { status: 'BAD_REQUEST', text: (d) => `Enter a valid ${postcodeLabel(d)}.` },
  radius_invalid: {
    status: 'BAD_REQUEST',
    text: 'Choose a distance of 1, 3, 5, 10, 25 or 50 miles.',
  },
  page_invalid: { status: 'BAD_REQUEST', text: 'Choose a page between 1 and 10,000.' },
  coordinates_invalid: { status: 'BAD_REQUEST', text: 'Choose a point on the map.' },
  specialty_unknown: { status: 'BAD_REQUEST', text: 'Choose a specialty from the list.' },
  fee_invalid: { status: 'BAD_REQUEST', text: 'Enter a maximum fee between 1 and 10,000.' },
  sort_invalid: { status: 'BAD_REQUEST', text: 'Choose one of the sort options.' },
} as const satisfies ErrorTable
