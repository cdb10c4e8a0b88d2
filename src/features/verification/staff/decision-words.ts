import { registerSays } from '#contract/sentences.ts'
import type { RegisterCheck } from '#contract/verification.ts'
import type { Evidence, StaffCheck, StaffProvider } from '#contract/verification-staff.ts'
import { lossWords, timeWords } from './staff-words.ts'

function visitWords(count: number): string {
  if (count === 0) return 'No visits are booked with them.'
  return count === 1 ? 'One visit is booked with them.' : `${count} visits are booked with them.`
}

/** How it stands, before anything is decided. */
export function standingWords(provider: StaffProvider, evidence: Evidence): string {
  const { state, since, comingVisits, lostBecause, asked } = evidence
  const when = since === null ? '' : ` since ${timeWords(since)}`
  switch (state) {
    case 'verified': {
      const { verifiedAt } = provider
      const from = verifiedAt === null ? '' : ` since ${timeWords(verifiedAt)}`
      return `Verified${from}. ${visitWords(comingVisits)} The register is asked every night.`
    }
    case 'refused':
      return `Refused${when}. ${visitWords(comingVisits)}`
    case 'lost':
      return `Lost standing${when}. ${lossWords[lostBecause ?? 'standing']} ${visitWords(comingVisits)}`
    case 'waiting': {
      const [newest] = asked
      const more = newest?.isOpen ? ` Asked for more on ${timeWords(newest.at)}.` : ''
      return `Awaiting a decision.${more} The register is asked once more when you decide.`
    }
  }
}

/** A reason to begin with where the register itself is one; the person may change it. */
export function reasonFor(check: (StaffCheck & RegisterCheck) | null): string {
  if (check === null || check.outcome === 'match') return ''
  return registerSays({
    body: check.professional_body_name,
    outcome: check.outcome,
    differences: check.differences.join(' '),
    standing: check.answer?.standing ?? '',
  })
}
