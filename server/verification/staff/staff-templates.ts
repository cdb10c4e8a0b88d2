import type { ProfessionalBody } from '#contract/people.ts'
import type { RequestAbout } from '#contract/verification.ts'
import type { EmailContent } from '#server/messages/templates.ts'

type Reader = { name: string; site: string; supportEmail: string }

type Asked = Reader & { body: ProfessionalBody; number: string; what: string; about: RequestAbout }

function unclear({ supportEmail }: Reader): EmailContent['blocks'][number] {
  return { kind: 'small', text: `If anything is unclear, write to ${supportEmail}.` }
}

/** Asks a provider for what staff need before they can decide. */
export function askedEmail(asked: Asked): EmailContent {
  const { name, body, number, what, about, site } = asked
  return {
    heading: 'We need more information to verify you',
    blocks: [
      {
        kind: 'paragraph',
        text: `Hello ${name},\nWe’re reviewing your registration (${body} ${number}) and need this from you before we can decide:`,
      },
      { kind: 'quote', text: what },
      {
        kind: 'paragraph',
        text: 'Answer here with a few lines, and a document if we asked for one. We’ll look at it as soon as you do.',
      },
      {
        kind: 'link',
        label: 'Answer',
        url: `${site}${about === 'company' ? '/company-verify' : '/provider-verify'}`,
      },
      unclear(asked),
    ],
  }
}

type Company = Reader & { company: string }

/** Tells a provider that their company is confirmed. */
export function acceptedCompanyEmail(facts: Company): EmailContent {
  const { name, company, site } = facts
  return {
    heading: 'Your company is confirmed',
    blocks: [
      {
        kind: 'paragraph',
        text: `Hello ${name},\nWe’ve compared what you told us about ${company} with the document you sent. Everything matches, and there’s nothing else for you to do.`,
      },
      { kind: 'link', label: 'See your company', url: `${site}/company-verify` },
      unclear(facts),
    ],
  }
}

/** Tells a provider why their company is not confirmed, and what they can do. */
export function refusedCompanyEmail(facts: Company, reason: string): EmailContent {
  const { name, company, site } = facts
  return {
    heading: 'We couldn’t confirm your company',
    blocks: [
      {
        kind: 'paragraph',
        text: `Hello ${name},\nWe’ve compared what you told us about ${company} with the document you sent, and couldn’t confirm it, for this reason:`,
      },
      { kind: 'quote', text: reason },
      { kind: 'paragraph', text: 'Correct it, or send another document, here:' },
      { kind: 'link', label: 'Send it again', url: `${site}/company-verify` },
      unclear(facts),
    ],
  }
}
