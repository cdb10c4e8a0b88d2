import { formatExactMoney } from '#contract/base/money.ts'
import { fullName, shownName } from '#contract/base/person-names.ts'
import type { Region } from '#contract/base/region.ts'
import { ANSWER_WITHIN_MS, type ClaimStatement, type Outcome } from '#contract/outcomes.ts'
import { contestUntil, retainedOfNoShow } from '#server/booking/outcome-rules.ts'
import { clinicTime, type Site } from '#server/booking/templates.ts'
import type { Services } from '#server/context.ts'
import type { OutboxJob } from '#server/kernel/outbox-topics.ts'
import { sendEach, sendEmail } from '#server/messages/send-email.ts'
import type { EmailContent, OwnBlock } from '#server/messages/templates.ts'
import { readMoney } from '#server/payments/refunds/refund.ts'
import { type ClaimRow, findClaim, findClaimState } from './claims-store.ts'
import { findMarked, hasCorrection } from './store.ts'

function siteOf({ config }: Services) {
  return { site: config.publicUrl, supportEmail: config.supportEmail }
}

/** Emails a patient that they were marked as absent, unless the mark was taken back since. */
export async function deliverNoShow(
  services: Services,
  job: OutboxJob<'outcome.no_show'>,
): Promise<void> {
  const { db } = services.database
  const row = await findMarked(db, job.bookingId)
  if (row === undefined || row.patient_erased_at !== null) return
  const until = contestUntil(row)
  if (until === null) return
  const { left } = await readMoney(db, row.paid_by)
  const retained = retainedOfNoShow(row, left.minor)
  const money = (minor: number) =>
    minor > 0 ? formatExactMoney({ minor, currency: row.currency }) : null
  await sendEmail(services, {
    topic: 'outcome.no_show',
    deliveryId: job.deliveryId,
    to: row.patient_email,
    userId: row.patient_id,
    secrets: [],
    content: noShowEmail({
      ...siteOf(services),
      firstName: row.patient_first_name,
      providerName: shownName(row),
      visit: visitFacts(row, ['Who', shownName(row)]),
      kept: money(retained),
      refund: money(left.minor - retained),
      until: clinicTime(until, row),
      // A provider cannot mark a visit that staff have corrected.
      isByStaff: await hasCorrection(db, row.no),
      canContest: (await findClaimState(db, row.no)) === undefined,
      isDiscreet: row.discreet === 1,
    }),
  })
}

/** What both sides' emails say about a visit; `person` is the other side's row. */
function visitFacts(
  { start_at, time_zone, region, reference }: Omit<VisitFacts, 'person'>,
  person: VisitFacts['person'],
): VisitFacts {
  return { start_at, time_zone, region, reference, person }
}

const ofProvider = (row: ClaimRow) => visitFacts(row, ['Who', shownName(row)])

const ofPatient = (row: ClaimRow) =>
  visitFacts(row, ['Patient', fullName(row.patient_first_name, row.patient_last_name)])

/** Emails a provider that a patient contests a no-show. */
export async function deliverClaimMade(
  services: Services,
  job: OutboxJob<'claim.made'>,
): Promise<void> {
  const row = await findClaim(services.database.db, job.claimId)
  if (row === undefined || row.provider_email === '' || row.state !== 'open') return
  await sendEmail(services, {
    topic: 'claim.made',
    deliveryId: job.deliveryId,
    to: row.provider_email,
    userId: row.patient_id,
    secrets: [],
    content: claimMadeEmail(ofPatient(row), {
      ...siteOf(services),
      visitId: row.visit_id,
      firstName: row.first_name,
      says: row.says,
      until: clinicTime(row.created_at + ANSWER_WITHIN_MS, row),
    }),
  })
}

/** Emails both sides the decision about a contested visit. */
export async function deliverClaimDecided(
  services: Services,
  job: OutboxJob<'claim.decided'>,
): Promise<void> {
  const row = await findClaim(services.database.db, job.claimId)
  if (row === undefined || row.state === 'open') return
  const site = siteOf(services)
  const decision = { ...site, outcome: row.outcome, isSettled: row.state === 'settled' }
  const isErased = row.patient_erased_at !== null
  const toPatient = () =>
    sendEmail(services, {
      topic: 'claim.decided',
      deliveryId: job.deliveryId,
      to: row.patient_email,
      userId: row.patient_id,
      secrets: [],
      content: claimDecidedEmail(ofProvider(row), {
        ...decision,
        firstName: row.patient_first_name,
        url: `${site.site}/userProfile`,
      }),
    })
  const toProvider = () =>
    sendEmail(services, {
      topic: 'claim.decided',
      deliveryId: `${job.deliveryId}-provider`,
      to: row.provider_email,
      userId: isErased ? null : row.patient_id,
      secrets: [],
      content: claimDecidedEmail(ofPatient(row), {
        ...decision,
        firstName: row.first_name,
        url: `${site.site}/doctor/visits/${row.visit_id}`,
      }),
    })
  // A provider who corrected the mark needs no email.
  const isProviderTold = row.provider_email !== '' && row.state !== 'settled'
  await sendEach(...(isErased ? [] : [toPatient]), ...(isProviderTold ? [toProvider] : []))
}

type VisitFacts = {
  start_at: number
  time_zone: string
  region: Region
  reference: string
  person: [label: string, name: string]
}

function factsBlock(visit: VisitFacts): OwnBlock {
  return {
    kind: 'facts',
    rows: [
      ['When', clinicTime(visit.start_at, visit)],
      visit.person,
      ['Reference', visit.reference],
    ],
  }
}

type NoShowFacts = Site & {
  firstName: string
  providerName: string
  visit: VisitFacts
  /** The amounts kept, and refunded once the time to contest has passed; formatted, or null. */
  kept: string | null
  refund: string | null
  /** "Tuesday 10 March 2026, 14:40 (London time, GMT)". */
  until: string
  isByStaff: boolean
  /** False once its patient has used their one claim. */
  canContest: boolean
  isDiscreet: boolean
}

function contestBlock(until: string): OwnBlock {
  return {
    kind: 'paragraph',
    text: `If you were there, or if the visit didn’t take place, tell us by ${until}. We’ll look into it and email you our decision.`,
  }
}

/** Email to a patient who was marked as absent, with how to contest it. */
function noShowEmail(details: NoShowFacts): EmailContent {
  const { firstName, visit, kept, refund, until, isByStaff, site, supportEmail } = details
  const who = isByStaff ? 'Our staff have recorded' : 'Your provider told us'
  const money = [
    ...(kept === null ? [] : [`${kept} of the payment isn’t refunded.`]),
    ...(refund === null ? [] : [`We’ll refund ${refund} after ${until}.`]),
  ]
    .map((sentence) => ` ${sentence}`)
    .join('')
  return {
    heading: `You missed your visit to ${details.providerName}`,
    ...(details.isDiscreet && { subject: 'You missed your visit' }),
    blocks: [
      {
        kind: 'paragraph',
        text: `Hello ${firstName},\n${who} that you didn’t come to this visit.${money}`,
      },
      factsBlock(visit),
      ...(details.canContest ? [contestBlock(until)] : []),
      { kind: 'link', label: 'See this visit', url: `${site}/userProfile` },
      { kind: 'small', text: `If anything is unclear, write to ${supportEmail}.` },
    ],
  }
}

const statementText: Record<ClaimStatement, string> = {
  was_there: 'The patient says that they were there.',
  not_held: 'The patient says that the visit didn’t take place.',
}

/** Email to a provider that a patient contests a no-show. Only staff see the patient's text. */
function claimMadeEmail(
  visit: VisitFacts,
  details: Site & { firstName: string; visitId: string; says: ClaimStatement; until: string },
): EmailContent {
  const { firstName, visitId, says, until, site, supportEmail } = details
  return {
    heading: 'A patient contests a missed visit',
    blocks: [
      {
        kind: 'paragraph',
        text: `Hello ${firstName},\nYou marked this visit as missed. ${statementText[says]} Our staff will decide within 14 days.`,
      },
      factsBlock(visit),
      {
        kind: 'paragraph',
        text: `If it was a mistake, correct it on the page of the visit. You can also tell us your side there, once, until ${until}.`,
      },
      { kind: 'link', label: 'Open this visit', url: `${site}/doctor/visits/${visitId}` },
      { kind: 'small', text: `If anything is unclear, write to ${supportEmail}.` },
    ],
  }
}

const outcomeText: Record<Outcome | 'none', string> = {
  completed: 'The visit now counts as completed.',
  no_show: 'The visit still counts as missed.',
  not_held: 'The visit didn’t take place. The payment for it is refunded.',
  none: 'The visit no longer counts as missed.',
}

type DecidedFacts = Site & {
  firstName: string
  outcome: Outcome | null
  /** The provider corrected the mark before staff decided. */
  isSettled: boolean
  url: string
}

/** Email to either side about the decision on a contested visit. */
function claimDecidedEmail(visit: VisitFacts, details: DecidedFacts): EmailContent {
  const { firstName, outcome, isSettled, url, supportEmail } = details
  const who = isSettled
    ? 'The provider has corrected this visit.'
    : 'Our staff have reviewed this visit.'
  return {
    heading: 'Our decision about a missed visit',
    blocks: [
      {
        kind: 'paragraph',
        text: `Hello ${firstName},\n${who} ${outcomeText[outcome ?? 'none']}`,
      },
      factsBlock(visit),
      { kind: 'link', label: 'See this visit', url },
      { kind: 'small', text: `If anything is unclear, write to ${supportEmail}.` },
    ],
  }
}
