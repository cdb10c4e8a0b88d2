import { dateFormat, lowerDayPeriod, timeZoneLabel } from '#contract/base/intl.ts'
import { formatExactMoney } from '#contract/base/money.ts'
import { fullName, shownName } from '#contract/base/person-names.ts'
import { type Region, regionFacts } from '#contract/base/region.ts'
import { statesText } from '#contract/base/us-states.ts'
import { withTypeName } from '#contract/booking.ts'
import type { Instant } from '#db/columns.ts'
import type { Block, EmailContent, OwnBlock } from '#server/messages/templates.ts'
import { cancellationOf, freeUntilOf, retainedOf } from './cancel-rules.ts'
import { priceOf } from './rules.ts'
import type { VisitRow } from './visits/visit-store.ts'

type Placed = { region: Region; time_zone: string }

function parts(at: Instant, { region, time_zone: timeZone }: Placed) {
  const { locale, hour12 } = regionFacts[region]
  const format = (options: Intl.DateTimeFormatOptions) =>
    dateFormat(locale, { timeZone, ...options })
  const day = format({ dateStyle: 'full' }).format(at)
  const date = region === 'uk' ? day.replace(',', '') : day
  const time = format({ hour: hour12 ? 'numeric' : '2-digit', minute: '2-digit', hour12 }).format(
    at,
  )
  const zone = format({ timeZoneName: 'short' })
    .formatToParts(at)
    .find(({ type }) => type === 'timeZoneName')
  return { date, time, zone: zone?.value ?? timeZone }
}

/** "Tuesday 3 March 2026, 14:30 (London time, GMT)": visits are always shown in the clinic's time zone. */
export function clinicTime(at: Instant, placed: Placed): string {
  const { date, time, zone } = parts(at, placed)
  return `${date}, ${lowerDayPeriod(time)} (${timeZoneLabel(placed.time_zone)}, ${zone})`
}

/**
 * "Free until Monday 2 March 2026, 14:30 (…). After that, cancelling costs £30.00 of £60.00.": as a date
 * and an amount, from `now` on.
 */
export function policyText(row: VisitRow, now: Instant): string {
  const { kept: fees, isFree } = cancellationOf(row, now)
  const kept = fees[row.visit_type]
  const price = priceOf(row, row.visit_type)
  const until = freeUntilOf(row, now)
  if (kept.minor === 0 || until >= row.start_at) return 'Free at any time before the visit.'
  const isAll = kept.minor === price.minor
  const cost = `${formatExactMoney(kept)} of ${formatExactMoney(price)}`
  if (!isFree) return isAll ? 'There is no refund.' : `Cancelling costs ${cost}.`
  const later = isAll ? 'After that there is no refund.' : `After that, cancelling costs ${cost}.`
  return `Free until ${clinicTime(until, row)}. ${later}`
}

function noShowText(row: VisitRow): string {
  const price = priceOf(row, row.visit_type)
  const minor = retainedOf(price.minor, row.no_show_percent)
  if (minor === 0) return 'You’re refunded in full.'
  if (minor === price.minor) return 'There’s no refund.'
  const kept = formatExactMoney({ minor, currency: price.currency })
  return `${kept} of ${formatExactMoney(price)} isn’t refunded.`
}

const typeText = { first_visit: 'First visit', follow_up: 'Follow-up' } as const
const basisText = { history: '', self_declared: ', according to the patient' } as const

/** Address in one line; for a video visit our own page, whose URL is safe to share. */
export function placeText(
  row: Pick<VisitRow, 'mode' | 'place_name' | 'address' | 'locality' | 'postcode'>,
): string {
  if (row.mode === 'video') return 'Video visit'
  return [row.place_name, row.address, row.locality, row.postcode].filter(Boolean).join(', ')
}

/** Whether the patient wants no provider's name in email subjects and calendars. */
export function isDiscreet(row: Pick<VisitRow, 'patient_discreet'>): boolean {
  return row.patient_discreet === 1
}

/** How to join a video visit; emails never contain the room's URL. */
function joinText({ mode }: Pick<VisitRow, 'mode'>): string {
  if (mode !== 'video') return ''
  return '\nIt’s a video visit: sign in and join it from your visits, from 15 minutes before it begins.'
}

export type Site = { site: string; supportEmail: string }

/** The link of a visit; as a button, unless there are several. */
export function visitLink(url: string, kind: 'link' | 'more' = 'link'): OwnBlock {
  return { kind, label: 'See, change or cancel this visit', url }
}

/**
 * Subject and preview of an email about a visit. What has happened comes first: a list of emails cuts a long name.
 * The preview stands beside it there, so that it names no provider either where the patient wants that.
 */
export function inboxTexts(
  row: Placed & Pick<VisitRow, 'start_at' | 'title' | 'first_name' | 'last_name'>,
  { what, discreet }: { what: 'Booked' | 'Moved' | 'Cancelled'; discreet: string | null },
): Pick<EmailContent, 'subject' | 'preview'> {
  return {
    subject: discreet ?? `${what}: your visit to ${shownName(row)}`,
    preview: clinicTime(row.start_at, row),
  }
}

function receiptLink({ payment_id: id }: VisitRow, site: string): OwnBlock[] {
  return id === null
    ? []
    : [{ kind: 'more', label: 'See your receipt', url: `${site}/receipt/${id}` }]
}

/** Email to the patient once the visit is paid for; leaves out the purpose. */
export function confirmationEmail(
  row: VisitRow,
  { site, supportEmail, now, visitUrl }: Site & { now: Instant; visitUrl: string },
): EmailContent {
  const phone = row.place_phone
  const minor = row.paid_minor ?? priceOf(row, row.visit_type).minor
  const paid = formatExactMoney({ minor, currency: row.currency })
  return {
    heading: `Your visit to ${shownName(row)} is booked`,
    ...inboxTexts(row, {
      what: 'Booked',
      discreet: isDiscreet(row) ? 'Your visit is booked' : null,
    }),
    blocks: [
      {
        kind: 'paragraph',
        text: `Hello ${row.patient_first_name},\nYour visit is booked and paid for. Open the attached file to add it to your calendar.${joinText(row)}`,
      },
      {
        kind: 'facts',
        rows: [
          ['When', clinicTime(row.start_at, row)],
          ['Who', shownName(row)],
          ['Where', placeText(row)],
          ...(phone === null ? [] : [['Practice phone', phone] satisfies [string, string]]),
          ...(row.type_name === null ? [] : [['Visit', row.type_name] satisfies [string, string]]),
          ['Paid', `${paid} (${typeText[row.visit_type].toLowerCase()})`],
          ['If you cancel', policyText(row, now)],
          ['If you miss it', noShowText(row)],
          ['Reference', row.reference],
        ],
      },
      visitLink(visitUrl),
      ...receiptLink(row, site),
      {
        kind: 'small',
        text: `You don’t need to sign in to open this visit, so don’t pass this email on. If something isn’t right, write to ${supportEmail}.`,
      },
    ],
  }
}

/** Short notice to the provider. The purpose can only be read after signing in. */
export function noticeEmail(row: VisitRow, { site }: Site): EmailContent {
  const basis = row.follow_up_basis === null ? '' : basisText[row.follow_up_basis]
  return {
    heading: `New visit: ${clinicTime(row.start_at, row)}`,
    blocks: [
      { kind: 'paragraph', text: `Hello ${row.first_name},\nA visit was booked and paid for.` },
      {
        kind: 'facts',
        rows: [
          ['When', clinicTime(row.start_at, row)],
          ['Patient', fullName(row.patient_first_name, row.patient_last_name)],
          ['Kind', `${withTypeName(typeText[row.visit_type], row.type_name)}${basis}`],
          ['Where', placeText(row)],
          ...(row.patient_state === null
            ? []
            : [['Patient will be in', statesText([row.patient_state])] satisfies [string, string]]),
          ['Reference', row.reference],
        ],
      },
      { kind: 'link', label: 'Open this visit', url: `${site}/doctor/visits/${row.id}` },
    ],
  }
}

/** What a provider wrote to the patient about a change; nothing where they wrote nothing. */
export function messageOf(note: string | null | undefined): Block[] {
  return note === null || note === undefined || note === '' ? [] : [{ kind: 'message', text: note }]
}
