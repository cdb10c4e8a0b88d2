import type { OwnProfile } from '#contract/profiles-own.ts'
import type { OwnVerification } from '#contract/verification.ts'

/** A known or missing fact about a provider's business. */
export type BusinessFact = {
  mark: 'done' | 'waiting' | 'missing' | 'wrong'
  words: string
  /** Explanation written by staff. */
  more?: string | undefined
  action?: { label: string; to: '/company-verify' | '/provider-verify' | '/doctor/bank-account' }
}

type Known = {
  profile: Pick<OwnProfile, 'hasBankAccount'>
  verification: Pick<OwnVerification, 'asked' | 'company' | 'verification_status'>
}

function companyFact({ asked, company }: Known['verification']): BusinessFact {
  const to = '/company-verify'
  if (asked?.about === 'company') {
    return {
      mark: 'wrong',
      words: 'We asked you about your company.',
      more: asked.what,
      action: { label: 'Answer our question', to },
    }
  }
  switch (company?.state) {
    case 'accepted':
      return { mark: 'done', words: 'We have confirmed your company.' }
    case 'in_review':
      return { mark: 'waiting', words: 'Your company is in review. We’ll email you our decision.' }
    case 'refused':
      return {
        mark: 'wrong',
        words: 'We couldn’t confirm your company.',
        more: company?.reason ?? undefined,
        action: { label: 'Send your company again', to },
      }
    case undefined:
      return {
        mark: 'missing',
        words: 'We don’t know which company you work as.',
        action: { label: 'Add your company', to },
      }
  }
}

function bankFact({ hasBankAccount }: Known['profile']): BusinessFact {
  if (hasBankAccount) return { mark: 'done', words: 'We know where to pay you.' }
  return {
    mark: 'missing',
    words: 'We don’t know where to pay you.',
    action: { label: 'Add a bank account', to: '/doctor/bank-account' },
  }
}

/** Facts on a provider's dashboard about their company, bank account and open questions. */
export function businessFacts({ profile, verification }: Known): BusinessFact[] {
  const { asked, verification_status: status } = verification
  const facts = [companyFact(verification), bankFact(profile)]
  // Before they are Verified the button above leads there.
  if (asked?.about !== 'registration' || status !== 'Verified') return facts
  const question: BusinessFact = {
    mark: 'wrong',
    words: 'We asked you about your registration.',
    more: asked.what,
    action: { label: 'Answer our question', to: '/provider-verify' },
  }
  return [question, ...facts]
}
