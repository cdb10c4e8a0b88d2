import type { ClaimSays, Outcome } from '#contract/outcomes.ts'
import type { Region } from '#contract/region.ts'
import { clinicTime } from '#server/booking/templates.ts'
import type { Block, EmailContent } from '#server/messages/templates.ts'

type VisitTold = {
  start_at: number
  time_zone: string
  region: Region
  reference: string
  providerName: string
}
type Site = { site: string; supportEmail: string }

function facts(visit: VisitTold, extra: [string, string][] = []): Block {
  return {
    kind: 'facts',
    rows: [
      ['When', clinicTime(visit.start_at, visit)],
      ['Who', visit.providerName],
      ...extra,
      ['Reference', visit.reference],
    ],
  }
}

type NoShowFacts = Site & {
  firstName: string
  visit: VisitTold
  /** What is kept of the fee, and what is refunded after the time to contest; formatted, or null. */
  kept: string | null
  refund: string | null
  /** "Tuesday 10 March 2026, 14:40 (London time, GMT)". */
  until: string
  isDiscreet: boolean
}

/** Tells a patient that they were marked as absent, and how to contest it. */
export function noShowEmail(told: NoShowFacts): EmailContent {
  const { firstName, visit, kept, refund, until, isDiscreet, site, supportEmail } = told
  const money = [
    ...(kept === null ? [] : [`${kept} of the payment isn’t refunded.`]),
    ...(refund === null ? [] : [`We’ll refund ${refund} after ${until}.`]),
  ].join(' ')
  return {
    heading: `You missed your visit to ${visit.providerName}`,
    ...(isDiscreet && { subject: 'You missed your visit' }),
    blocks: [
      {
        kind: 'paragraph',
        text: `Hello ${firstName},\nYour provider told us that you didn’t come to this visit. ${money}`,
      },
      facts(visit),
      {
        kind: 'paragraph',
        text: `If you were there, or if the visit didn’t take place, tell us by ${until}. We’ll look into it and email you our decision.`,
      },
      { kind: 'link', label: 'See this visit', url: `${site}/userProfile` },
      { kind: 'small', text: `If anything is unclear, write to ${supportEmail}.` },
    ],
  }
}

const saysWords: Record<ClaimSays, string> = {
  was_there: 'They say that they were there.',
  not_held: 'They say that the visit didn’t take place.',
}

/** Tells a provider that a patient contests having been absent. What they wrote stays with staff. */
export function claimMadeEmail(
  visit: VisitTold & { id: string },
  told: Site & { firstName: string; says: ClaimSays },
): EmailContent {
  const { firstName, says, site, supportEmail } = told
  return {
    heading: 'A patient contests a missed visit',
    blocks: [
      {
        kind: 'paragraph',
        text: `Hello ${firstName},\nYou marked this visit as missed. ${saysWords[says]} Our staff will decide within 14 days.`,
      },
      facts(visit),
      {
        kind: 'paragraph',
        text: `If it was a mistake, correct it on the page of the visit. To tell us your side, write to ${supportEmail} with the reference.`,
      },
      { kind: 'link', label: 'Open this visit', url: `${site}/doctor/visits/${visit.id}` },
    ],
  }
}

const outcomeWords: Record<Outcome | 'none', string> = {
  completed: 'The visit now counts as completed.',
  no_show: 'The visit still counts as missed.',
  not_held: 'The visit didn’t take place. What was paid for it is refunded.',
  none: 'The visit no longer counts as missed.',
}

type DecidedFacts = Site & {
  firstName: string
  outcome: Outcome | null
  /** The provider corrected the mark before staff decided. */
  isSettled: boolean
  url: string
}

/** Tells either side what became of a contested visit. */
export function claimDecidedEmail(visit: VisitTold, told: DecidedFacts): EmailContent {
  const { firstName, outcome, isSettled, url, supportEmail } = told
  const who = isSettled
    ? 'The provider has corrected this visit.'
    : 'Our staff have reviewed this visit.'
  return {
    heading: 'Our decision about a missed visit',
    blocks: [
      {
        kind: 'paragraph',
        text: `Hello ${firstName},\n${who} ${outcomeWords[outcome ?? 'none']}`,
      },
      facts(visit),
      { kind: 'link', label: 'See this visit', url },
      { kind: 'small', text: `If anything is unclear, write to ${supportEmail}.` },
    ],
  }
}
