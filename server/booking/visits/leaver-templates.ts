import { shownName } from '#server/booking/rules.ts'
import { clinicTime, isDiscreet, placeText, type Site } from '#server/booking/templates.ts'
import type { EmailContent } from '#server/messages/templates.ts'
import type { VisitRow } from './visit-store.ts'

/** What the patient is mailed when a visit is cancelled because its provider has left. */
export function leaverEmail(row: VisitRow, { site, supportEmail }: Site): EmailContent {
  const name = shownName(row)
  return {
    heading: `Your visit to ${name} is cancelled`,
    ...(isDiscreet(row) && { subject: 'Visit cancelled' }),
    blocks: [
      {
        kind: 'paragraph',
        text: `Hello ${row.patient_first_name},\n${name} has left Apposite, so your visit is cancelled. We’re refunding your payment and will email you once it’s on its way. Open the attached file to remove the visit from your calendar.`,
      },
      {
        kind: 'facts',
        rows: [
          ['Was', clinicTime(row.start_at, row)],
          ['Who', name],
          ['Where', placeText(row)],
          ['Reference', row.reference],
        ],
      },
      { kind: 'link', label: 'Find another provider', url: `${site}/home` },
      { kind: 'small', text: `If anything is unclear, write to ${supportEmail}.` },
    ],
  }
}

/** The short notice to a provider who has erased the account: somebody they knew will not come. */
export function leaverNotice(row: VisitRow): EmailContent {
  return {
    heading: `Cancelled: ${clinicTime(row.start_at, row)}`,
    blocks: [
      {
        kind: 'paragraph',
        text: `Hello ${row.first_name},\nYou deleted your account, so this visit is cancelled. We’ve told the patient and are refunding them.`,
      },
      {
        kind: 'facts',
        rows: [
          ['Was', clinicTime(row.start_at, row)],
          ['Patient', `${row.patient_first_name} ${row.patient_last_name}`],
          ['Reference', row.reference],
        ],
      },
    ],
  }
}
