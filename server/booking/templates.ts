import { dateFormat, lowerDayPeriod, timeZoneLabel } from '#contract/base/intl.ts'
import { formatExactMoney } from '#contract/base/money.ts'
import { fullName, shownName } from '#contract/base/person-names.ts'
import { type Region, regionFacts } from '#contract/base/region.ts'
import { toIso } from '#contract/base/time.ts'
import { statesText } from '#contract/base/us-states.ts'
import { withTypeName } from '#contract/booking.ts'
import { CancelReason, cancelReasonLabels, LATE_FEE_NOTE } from '#contract/visits.ts'
import { type Instant, wallClock } from '#db/columns.ts'
import type { Block, EmailContent, OwnBlock } from '#server/messages/templates.ts'
import { cancellationOf, freeUntilOf, retainedOf } from './cancel-rules.ts'
import { instantsAt, priceOf } from './rules.ts'
import type { CancellationRow } from './visits/changes-store.ts'
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

/** Facts of a cancellation for emails; `cancellation` is undefined for visits without a record. */
export type CancelledFacts = Site & {
  /** Shows the visit without signing in. */
  visitUrl: string
  cancellation: CancellationRow
  /** The provider's next free times for visits of a type, offered when the provider cancelled. */
  free: { typeId: string; timeZone: string; times: readonly Instant[] } | null
}

/** The reason the provider chose. */
function reasonRows(cancellation: CancellationRow): [string, string][] {
  if (cancellation?.by_kind !== 'provider') return []
  const reason = CancelReason.safeParse(cancellation.reason)
  return reason.success ? [['Reason', cancelReasonLabels[reason.data]]] : []
}

/** What a provider wrote to the patient about a change; nothing where they wrote nothing. */
export function messageOf(note: string | null | undefined): Block[] {
  return note === null || note === undefined || note === '' ? [] : [{ kind: 'message', text: note }]
}

type TimeLink = { site: string; typeId: string; timeZone: string }

/** The address of the checkout of a free time, which reads it in this zone, and its label. */
function timeLink(row: VisitRow, at: Instant, { site, typeId, timeZone }: TimeLink) {
  const wall = toIso(wallClock(at, timeZone))
  const [date, time] = [wall.slice(0, 10), wall.slice(11, 16)]
  const search = new URLSearchParams({ region: row.region, type: typeId, date, time })
  // The second of two times that clocks show alike.
  if (instantsAt(timeZone, date, time).indexOf(at) === 1) search.set('fold', '1')
  const url = `${site}/appointment/${row.provider_id}?${search}`
  return { label: `Book ${clinicTime(at, { region: row.region, time_zone: timeZone })}`, url }
}

/** What to do next: the provider's next free times, the soonest as the button, if it was they who cancelled. */
function nextSteps(row: VisitRow, { site, cancellation, free }: CancelledFacts): OwnBlock[] {
  const home = { kind: 'link', label: 'Find a new time', url: `${site}/home` } as const
  if (cancellation?.by_kind !== 'provider' || free === null) return [home]
  const { times, ...of } = free
  if (times.length === 0) return [home]
  return [
    { kind: 'paragraph', text: `${shownName(row)} can next see you at these times:` },
    ...times.map(
      (at, place): OwnBlock => ({
        kind: place === 0 ? 'link' : 'more',
        ...timeLink(row, at, { site, ...of }),
      }),
    ),
    { kind: 'more', label: 'Find another provider', url: home.url },
  ]
}

const methodText = { stripe: 'your card', paypal: 'your PayPal wallet' } as const

/** "We’re refunding £30.00 of £60.00 to your card", from the record. */
function refundText(row: VisitRow, cancellation: CancellationRow): string {
  const { refund_minor: refund = null, kept_minor: kept = null } = cancellation ?? {}
  if (refund === null || kept === null) return 'We’ll email you about your refund.'
  const money = (minor: number) => formatExactMoney({ minor, currency: row.currency })
  const paid = row.paid_minor ?? priceOf(row, row.visit_type).minor
  const way = methodText[row.payment_method]
  if (refund > 0) {
    const amount =
      refund === paid ? `${money(refund)} in full` : `${money(refund)} of ${money(paid)}`
    const text = `We’re refunding ${amount} to ${way}, and will email you once it’s on its way.`
    return kept > 0 ? `${text} ${LATE_FEE_NOTE}` : text
  }
  return kept > 0
    ? `It was too late for a refund, so none is due. ${LATE_FEE_NOTE}`
    : 'Your payment had already been refunded.'
}

type Opening = (row: VisitRow, reason: string | null) => string

const introText: Record<NonNullable<CancellationRow>['by_kind'], Opening> = {
  patient: () => 'You’ve cancelled this visit.',
  provider: (row) => `${shownName(row)} has had to cancel this visit. We’re sorry.`,
  staff: (row, reason) => {
    if (reason === 'for_patient') return 'We’ve cancelled this visit for you, as you asked.'
    if (reason !== 'for_provider') return 'We’ve cancelled this visit.'
    return `We’ve cancelled this visit for ${shownName(row)}. We’re sorry.`
  },
  system: () => 'Your visit is cancelled.',
}

/** Email to the patient about a cancelled visit, with the refund first. */
export function cancelledEmail(row: VisitRow, facts: CancelledFacts): EmailContent<Block> {
  const { supportEmail, cancellation } = facts
  const intro = introText[cancellation?.by_kind ?? 'system'](row, cancellation?.reason ?? null)
  const money = refundText(row, cancellation)
  return {
    heading: `Your visit to ${shownName(row)} is cancelled`,
    ...inboxTexts(row, { what: 'Cancelled', discreet: isDiscreet(row) ? 'Visit cancelled' : null }),
    blocks: [
      {
        kind: 'paragraph',
        text: `Hello ${row.patient_first_name},\n${intro} ${money} Open the attached file to remove it from your calendar.`,
      },
      {
        kind: 'facts',
        rows: [
          ['When', clinicTime(row.start_at, row)],
          ['Who', shownName(row)],
          ...reasonRows(cancellation),
          ['Reference', row.reference],
        ],
      },
      ...(cancellation?.by_kind === 'provider' ? messageOf(cancellation.note) : []),
      ...nextSteps(row, facts),
      { kind: 'more', label: 'See this visit', url: facts.visitUrl },
      { kind: 'small', text: `If anything is unclear, write to ${supportEmail}.` },
    ],
  }
}

const noticeText: Record<NonNullable<CancellationRow>['by_kind'], string> = {
  patient: 'The patient cancelled this visit.',
  provider: 'You cancelled this visit. We’ve told the patient and are refunding what was due.',
  staff: 'We cancelled this visit and refunded what was due.',
  system: 'We cancelled this visit and refunded it.',
}

/** Short notice to the provider that a time is free again, and how much of the fee is kept. */
export function cancelledNotice(
  row: VisitRow,
  { site, cancellation }: Pick<CancelledFacts, 'site' | 'cancellation'>,
): EmailContent {
  const { refund_minor: refund = null, kept_minor: kept = null } = cancellation ?? {}
  const money = (minor: number) => formatExactMoney({ minor, currency: row.currency })
  return {
    heading: `Cancelled: ${clinicTime(row.start_at, row)}`,
    blocks: [
      {
        kind: 'paragraph',
        text: `Hello ${row.first_name},\n${noticeText[cancellation?.by_kind ?? 'system']} Its time is open to others again, unless it’s outside your hours or in your time off.`,
      },
      {
        kind: 'facts',
        rows: [
          ['When', clinicTime(row.start_at, row)],
          ['Patient', fullName(row.patient_first_name, row.patient_last_name)],
          ...(refund === null ? [] : [['Refunded', money(refund)] satisfies [string, string]]),
          ...(kept === null || kept === 0
            ? []
            : [['Late cancellation fee', money(kept)] satisfies [string, string]]),
          ['Reference', row.reference],
        ],
      },
      { kind: 'link', label: 'Open this visit', url: `${site}/doctor/visits/${row.id}` },
    ],
  }
}

/** Email to the patient whose visit is cancelled because its provider has erased the account. */
export function providerLeftEmail(
  row: VisitRow,
  { site, supportEmail, cancellation }: Omit<CancelledFacts, 'visitUrl' | 'free'>,
): EmailContent {
  const name = shownName(row)
  return {
    heading: `Your visit to ${name} is cancelled`,
    ...inboxTexts(row, { what: 'Cancelled', discreet: isDiscreet(row) ? 'Visit cancelled' : null }),
    blocks: [
      {
        kind: 'paragraph',
        text: `Hello ${row.patient_first_name},\n${name} has left Apposite, so your visit is cancelled. ${refundText(row, cancellation)} Open the attached file to remove the visit from your calendar.`,
      },
      {
        kind: 'facts',
        rows: [
          ['When', clinicTime(row.start_at, row)],
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

/** Short notice to a provider who has erased the account that a visit is cancelled. */
export function providerLeftNotice(
  row: VisitRow,
  { cancellation }: Pick<CancelledFacts, 'cancellation'>,
): EmailContent {
  const told =
    cancellation?.refund_minor === 0
      ? 'We’ve told the patient.'
      : 'We’ve told the patient and are refunding them.'
  return {
    heading: `Cancelled: ${clinicTime(row.start_at, row)}`,
    blocks: [
      {
        kind: 'paragraph',
        text: `Hello ${row.first_name},\nYou deleted your account, so this visit is cancelled. ${told}`,
      },
      {
        kind: 'facts',
        rows: [
          ['When', clinicTime(row.start_at, row)],
          ['Patient', fullName(row.patient_first_name, row.patient_last_name)],
          ['Reference', row.reference],
        ],
      },
    ],
  }
}
