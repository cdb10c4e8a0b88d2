import type { ProposedTimes } from '#contract/booking-proposed.ts'
import { shownName } from '#server/booking/rules.ts'
import { clinicTime, isDiscreet, placeText, type Site } from '#server/booking/templates.ts'
import type { EmailContent } from '#server/messages/templates.ts'
import type { VisitRow } from './visit-store.ts'

type Told = Site & { visitUrl: string; proposal: ProposedTimes }

/** What the patient is mailed when their provider asks whether another time suits them. */
export function proposedEmail(
  row: VisitRow,
  { site, supportEmail, visitUrl, proposal }: Told,
): EmailContent {
  const { times, note } = proposal
  const isElsewhere = times.some(({ place }) => place !== row.place_name)
  return {
    heading: `${shownName(row)} asks whether another time suits you`,
    ...(isDiscreet(row) && { subject: 'Does another time suit you?' }),
    blocks: [
      {
        kind: 'paragraph',
        text: `Hello ${row.patient_first_name},\nYour visit stays as it is unless you choose one of these times. They aren’t held for you, so someone else may book them first.`,
      },
      {
        kind: 'facts',
        rows: [
          ['Your time', clinicTime(row.start_at, row)],
          ...times.map(({ startsAt, timeZone, place }, at): [string, string] => {
            const start = Temporal.Instant.from(startsAt).epochMilliseconds
            const when = clinicTime(start, { ...row, time_zone: timeZone })
            return [`Proposed ${at + 1}`, isElsewhere ? `${when}, at ${place}` : when]
          }),
          ...(note === null || note === ''
            ? []
            : [['They wrote', note] satisfies [string, string]]),
          ['Where', placeText(row)],
          ['Reference', row.reference],
        ],
      },
      { kind: 'link', label: 'Choose a time or keep yours', url: visitUrl },
      { kind: 'link', label: 'Answer in your account', url: `${site}/userProfile` },
      {
        kind: 'small',
        text: `Choosing one of them is free and doesn’t count as one of your moves. You don’t need to sign in for that, so don’t pass this email on. If something isn’t right, write to ${supportEmail}.`,
      },
    ],
  }
}

/** The short notice to the provider that none of the times they proposed is taken. */
export function keptNotice(row: VisitRow, { site }: Pick<Site, 'site'>): EmailContent {
  return {
    heading: `Not moved: ${clinicTime(row.start_at, row)}`,
    blocks: [
      {
        kind: 'paragraph',
        text: `Hello ${row.first_name},\nThe patient has kept the time of this visit and chosen none of the times you proposed.`,
      },
      {
        kind: 'facts',
        rows: [
          ['Time', clinicTime(row.start_at, row)],
          ['Patient', `${row.patient_first_name} ${row.patient_last_name}`],
          ['Where', placeText(row)],
          ['Reference', row.reference],
        ],
      },
      { kind: 'link', label: 'Open this visit', url: `${site}/doctor/visits/${row.id}` },
    ],
  }
}
