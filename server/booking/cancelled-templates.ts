import { formatExactMoney } from '#contract/base/money.ts'
import { fullName, shownName } from '#contract/base/person-names.ts'
import { toIso } from '#contract/base/time.ts'
import { CancelReason, cancelReasonLabels, LATE_FEE_NOTE } from '#contract/visits.ts'
import { type Instant, wallClock } from '#db/columns.ts'
import type { Block, EmailContent, OwnBlock } from '#server/messages/templates.ts'
import { instantsAt, priceOf } from './rules.ts'
import { clinicTime, inboxTexts, isDiscreet, messageOf, placeText, type Site } from './templates.ts'
import type { CancellationRow } from './visits/changes-store.ts'
import type { VisitRow } from './visits/visit-store.ts'

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
