import { formatLocalMoment } from '#app/lib/format/dates.ts'
import type { Region } from '#contract/base/region.ts'
import { registerMismatchText } from '#contract/errors/register-mismatch.ts'
import type {
  CheckOutcome,
  Difference,
  LossReason,
  RegisterCheck,
  StaffProof,
} from '#contract/verification.ts'
import type {
  Change,
  Evidence,
  ProviderList,
  ProviderRow,
  StaffCheck,
  StaffProvider,
} from '#contract/verification-staff.ts'

/** Names of the lists. */
export const listLabels: Record<ProviderList, string> = {
  all: 'All',
  waiting: 'Awaiting',
  verified: 'Verified',
  refused: 'Refused',
  lost: 'Verification lost',
  company: 'Company',
}

/** What the date in each list refers to. */
export const dateLabels: Record<ProviderList, string> = {
  all: 'Registered',
  waiting: 'Asked',
  verified: 'Verified',
  refused: 'Refused',
  lost: 'Lost',
  company: 'Sent',
}

/** Shown if a list is empty. */
export const emptyListText: Record<ProviderList, string> = {
  all: 'No providers found.',
  waiting: 'Nobody is waiting.',
  verified: 'Nobody is verified.',
  refused: 'Nobody was refused.',
  lost: 'Nobody has lost their verification.',
  company: 'No company is waiting.',
}

export const regionLabels: Record<Region, string> = { uk: 'UK', usa: 'USA' }

/** The tone of a message, never conveyed by colour alone. */
export type Tone = 'ok' | 'warn' | 'danger' | 'muted'

/** The verification's progress, beside the documented status; null if that says it all. */
export function stateText(row: ProviderRow): { words: string; tone: Tone } | null {
  switch (row.state) {
    case null:
    case 'verified':
      return null
    case 'refused':
      return { words: 'Refused', tone: 'danger' }
    case 'lost':
      return { words: 'Verification lost', tone: 'danger' }
    case 'waiting':
      if (row.answeredAt !== null) return { words: 'Answered', tone: 'ok' }
      if (row.askedAgainAt !== null) return { words: 'Information requested', tone: 'muted' }
      if (row.isMatch) return { words: 'Matches the register', tone: 'ok' }
      return row.isCompared
        ? { words: 'Does not match', tone: 'warn' }
        : { words: 'Not checked yet', tone: 'muted' }
  }
}

export const outcomeLabels: Record<CheckOutcome, { words: string; tone: Tone }> = {
  match: { words: 'Everything matched', tone: 'ok' },
  differs: { words: 'Did not match', tone: 'warn' },
  not_in_standing: { words: 'Not in good standing', tone: 'danger' },
  not_found: { words: 'No such number', tone: 'danger' },
}

/** The status of a proof. */
export function proofText({ kind, state }: StaffProof): { words: string; tone: Tone } {
  switch (state) {
    case 'accepted':
      return { words: 'Accepted', tone: 'ok' }
    case 'refused':
      return { words: 'Refused', tone: 'danger' }
    case 'replaced':
      return { words: 'Replaced by a newer one', tone: 'muted' }
    case 'waiting':
      return kind === 'document'
        ? { words: 'Document to check', tone: 'warn' }
        : { words: 'Waiting for the code', tone: 'muted' }
  }
}

const differenceLabels: Record<Difference, string> = {
  number: 'number',
  name: 'name',
  standing: 'standing',
}

const changeLabels: Record<Exclude<Change, 'entry'>, string> = {
  number: 'the number',
  name: 'the name',
  standing: 'the standing',
  claim: 'the claim',
}

const listFormat = new Intl.ListFormat('en-GB', { type: 'conjunction' })

/** "Different: name and standing"; null if all was the same. */
export function differencesOf({ differences, outcome }: StaffCheck): string | null {
  if (outcome === 'not_found' || differences.length === 0) return null
  return `Different: ${listFormat.format(differences.map((one) => differenceLabels[one]))}`
}

/** "Changed since the last check: the standing"; null if nothing has. */
export function changesOf({ changes, answer }: StaffCheck): string | null {
  if (changes.length === 0) return null
  const words = changes.map((one) =>
    one === 'entry' ? `the entry (${answer === null ? 'now missing' : 'new'})` : changeLabels[one],
  )
  return `Changed since the last check: ${listFormat.format(words)}`
}

const kindLabels: Record<StaffCheck['kind'], string> = {
  look_up: 'Looked up',
  recheck: 'Nightly check',
  decision: 'Compared for a decision',
}

/** "Looked up by Ada Lindqvist", "Nightly check". */
export function checkedByText({ kind, by }: StaffCheck): string {
  if (by.kind === 'system') return kindLabels[kind]
  const who = by.kind === 'provider' ? 'the provider' : (by.name ?? 'staff')
  return `${kindLabels[kind]} by ${who}`
}

const lossText: Record<LossReason, string> = {
  standing: 'The nightly check found them no longer in good standing.',
  vanished: 'Two nights running, the register had no entry with this number.',
  renamed: 'Two nights running, the register had a different name for this number.',
}

function visitsText(count: number): string {
  if (count === 0) return 'No visits are booked with them.'
  return count === 1 ? 'One visit is booked with them.' : `${count} visits are booked with them.`
}

/** The current status in words, before a decision. */
export function statusText(provider: StaffProvider, evidence: Evidence): string {
  const { state, since, comingVisits, lostBecause, asked } = evidence
  const when = since === null ? '' : ` since ${formatLocalMoment(since)}`
  switch (state) {
    case 'verified': {
      const { verifiedAt } = provider
      const from = verifiedAt === null ? '' : ` since ${formatLocalMoment(verifiedAt)}`
      return `Verified${from}. ${visitsText(comingVisits)} We check the register every night.`
    }
    case 'refused':
      return `Refused${when}. ${visitsText(comingVisits)}`
    case 'lost':
      return `Verification lost${when}. ${lossText[lostBecause ?? 'standing']} ${visitsText(comingVisits)}`
    case 'waiting': {
      const [newest] = asked
      const more = newest?.isOpen
        ? ` Information requested on ${formatLocalMoment(newest.at)}.`
        : ''
      return `Awaiting a decision.${more} We check the register again when you decide.`
    }
  }
}

/** A suggested reason if the register itself gives one; staff may change it. */
export function reasonFor(check: (StaffCheck & RegisterCheck) | null): string {
  if (check === null || check.outcome === 'match') return ''
  return registerMismatchText({
    body: check.professional_body_name,
    outcome: check.outcome,
    differences: check.differences.join(' '),
    standing: check.answer?.standing ?? '',
  })
}
