import { detailText, type ErrorTable } from './error-table.ts'

/** Hours, time off, imports and calendars from outside. */
export const hoursErrors = {
  hours_overlap: {
    status: 'BAD_REQUEST',
    text: (d) =>
      `These hours overlap: ${detailText(d, 'first')} and ${detailText(d, 'second')} ${detailText(d, 'when')}.`,
  },
  hours_inverted: { status: 'BAD_REQUEST', text: 'The end must be after the start.' },
  hours_too_short: {
    status: 'BAD_REQUEST',
    text: (d) => `These hours are too short for a visit of ${detailText(d, 'minutes')} minutes.`,
  },
  dates_inverted: { status: 'BAD_REQUEST', text: 'The last day must not be before the first.' },
  date_passed: { status: 'BAD_REQUEST', text: 'That day is over. Choose today or a later day.' },
  date_too_far: { status: 'BAD_REQUEST', text: 'Choose a day within the next two years.' },
  date_duplicate: {
    status: 'CONFLICT',
    text: (d) => `You’ve already added these hours on ${detailText(d, 'date')}.`,
  },
  date_in_absence: {
    status: 'CONFLICT',
    text: (d) =>
      `You are away on ${detailText(d, 'date')}. Delete that time off first, or choose another day.`,
  },
  absence_overlaps: {
    status: 'CONFLICT',
    text: (d) =>
      `You already have time off from ${detailText(d, 'from')} to ${detailText(d, 'to')}. Change that one instead.`,
  },
  too_many_dates: {
    status: 'CONFLICT',
    text: 'That’s more dates than we can keep. Remove some first.',
  },
  changed_meanwhile: {
    status: 'CONFLICT',
    text: (d) =>
      d['what'] === 'visit'
        ? 'This visit has changed since you opened it. Check it again.'
        : d['what'] === 'visits'
          ? 'Visits were booked or changed meanwhile. Check the list again, then save.'
          : 'Your hours were changed in another window. Check them again, then save.',
  },
  import_full: {
    status: 'CONFLICT',
    text: 'A file can have 5,000 appointments. Split it and import the rest as a second file.',
  },
  imports_full: {
    status: 'CONFLICT',
    text: 'You already have 20,000 imported appointments. Undo an import before you add another.',
  },
  outside_calendars_full: {
    status: 'CONFLICT',
    text: 'You already have 5 calendars. Remove one before you add another.',
  },
  outside_calendar_known: { status: 'CONFLICT', text: 'You’ve already added this calendar.' },
  outside_calendar_refused: {
    status: 'BAD_REQUEST',
    text: 'The calendar wasn’t added: it can’t be read.',
  },
} as const satisfies ErrorTable
