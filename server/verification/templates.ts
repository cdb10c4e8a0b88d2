import type { ProfessionalBody } from '#contract/base/people.ts'
import type { LossReason, RequestAbout } from '#contract/verification.ts'
import type { Block, EmailContent, OwnBlock } from '#server/messages/templates.ts'

type Reader = { name: string; site: string; supportEmail: string }
type Registration = { body: ProfessionalBody; number: string }

function contactNote({ supportEmail }: Reader): OwnBlock {
  return { kind: 'small', text: `If anything is unclear, write to ${supportEmail}.` }
}

type StatusLost = Reader &
  Registration & {
    because: LossReason
    /** The register's status text; empty if it has no such number. */
    statusText: string
    /** The name now in the register, or empty. */
    registerName: string
  }

type Visit = { reference: string; when: string }

function registerStatement({
  body,
  number,
  because,
  statusText,
  registerName,
}: StatusLost): string {
  if (because === 'vanished') {
    return `Two nights in a row, the ${body} register had no entry for ${number}.`
  }
  if (because === 'renamed') {
    return `Two nights in a row, the ${body} register had a different name for ${number}: ${registerName}.`
  }
  return `The ${body} register now says this about ${number}: ${statusText}.`
}

/** Tells a provider that their profile is hidden, why, and what they can do. */
export function statusLostEmail(facts: StatusLost, visits: Visit[]): EmailContent {
  const { name, site } = facts
  const booked =
    visits.length === 0
      ? 'You have no booked visits.'
      : `${visits.length === 1 ? 'Your booked visit stays' : `Your ${visits.length} booked visits stay`} booked for now. We’ll be in touch about ${visits.length === 1 ? 'it' : 'them'}.`
  return {
    heading: 'Your profile is hidden for now',
    blocks: [
      { kind: 'paragraph', text: `Hello ${name},\n${registerStatement(facts)}` },
      {
        kind: 'paragraph',
        text: `We only list providers whose registration matches what they told us, so your profile is hidden and can’t be booked. ${booked}`,
      },
      {
        kind: 'paragraph',
        text: 'If this is a mistake, ask the register to correct it, then check again here:',
      },
      { kind: 'link', label: 'See what the register says', url: `${site}/provider-verify` },
      contactNote(facts),
    ],
  }
}

/** Tells staff who was hidden, why, and which visits are still booked: by reference only. */
export function statusLostNotice(
  facts: StatusLost & { providerId: string },
  visits: Visit[],
): EmailContent {
  return {
    heading: `A provider lost their registration status: ${facts.body} ${facts.number}`,
    blocks: [
      {
        kind: 'paragraph',
        text: `${registerStatement(facts)} The profile is hidden and can’t be booked.`,
      },
      { kind: 'facts', rows: [['Provider', facts.providerId]] },
      {
        kind: 'paragraph',
        text:
          visits.length === 0
            ? 'No visits are booked.'
            : 'These visits stay booked until you decide about them:',
      },
      ...(visits.length === 0
        ? []
        : [
            {
              kind: 'facts' as const,
              rows: visits.map(({ reference, when }): [string, string] => [when, reference]),
            },
          ]),
      {
        kind: 'link',
        label: 'Open this provider',
        url: `${facts.site}/admin-home/providers/${facts.providerId}`,
      },
    ],
  }
}

/** Tells a provider that patients can find them. */
export function verifiedEmail(facts: Reader & Registration): EmailContent {
  const { name, body, number, site, supportEmail } = facts
  return {
    heading: 'You are verified',
    blocks: [
      {
        kind: 'paragraph',
        text: `Hello ${name},\nWe’ve compared what you told us with the ${body} register (${number}). Everything matches: your profile is Verified, and patients can find you.`,
      },
      {
        kind: 'paragraph',
        text: 'They can book the times you offer. If you haven’t set your hours yet, do it here:',
      },
      { kind: 'link', label: 'Set your hours', url: `${site}/doctor/availability/new` },
      {
        kind: 'small',
        text: `We check the register every night. If anything is unclear, write to ${supportEmail}.`,
      },
    ],
  }
}

/** Tells a provider that they are not listed, with the reason staff gave, and what they can do. */
export function refusedEmail(facts: Reader & Registration, reason: string): EmailContent<Block> {
  const { name, body, number, site } = facts
  return {
    heading: 'We couldn’t verify your registration',
    blocks: [
      {
        kind: 'paragraph',
        text: `Hello ${name},\nWe’ve looked at your registration (${body} ${number}) and couldn’t verify it, for the reason below. Your profile is hidden from patients for now. Booked visits stay booked.`,
      },
      { kind: 'quote', text: reason },
      {
        kind: 'paragraph',
        text: 'Once it’s corrected, in your profile or with the register, check again here:',
      },
      { kind: 'link', label: 'See what the register says', url: `${site}/provider-verify` },
      contactNote(facts),
    ],
  }
}

type InformationRequest = Reader & Registration & { what: string; about: RequestAbout }

/** Asks a provider for what staff need before they can decide. */
export function informationRequestEmail(request: InformationRequest): EmailContent<Block> {
  const { name, body, number, what, about, site } = request
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
      contactNote(request),
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
      contactNote(facts),
    ],
  }
}

/** Tells a provider why their company is not confirmed, and what they can do. */
export function refusedCompanyEmail(facts: Company, reason: string): EmailContent<Block> {
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
      contactNote(facts),
    ],
  }
}

type OfferedEmailFacts = Reader & Registration & { email: string; source: string }

/** Tells a provider that a code can be sent to a published address, to prove that they are the registrant. */
export function offeredEmail(offered: OfferedEmailFacts): EmailContent {
  const { name, body, number, email, source, site } = offered
  return {
    heading: 'Confirm that you’re the registrant',
    blocks: [
      {
        kind: 'paragraph',
        text: `Hello ${name},\nBefore we can verify your registration (${body} ${number}), we need to know that you’re the person the register names. We can send a code to this published address:`,
      },
      {
        kind: 'facts',
        rows: [
          ['Address', email],
          ['Published', source],
        ],
      },
      {
        kind: 'paragraph',
        text: 'Get the code when you can read that mailbox: it expires after 10 minutes. If you can’t, send a photo ID or your certificate on the same page.',
      },
      { kind: 'link', label: 'Get the code', url: `${site}/provider-verify` },
      contactNote(offered),
    ],
  }
}

type CodeEmailFacts = Registration & {
  /** First and last name of the account that asked. */
  person: string
  source: string
  code: string
  supportEmail: string
}

/** The code, for the owner of the published mailbox, who may know nothing about the request. */
export function codeEmail({
  person,
  body,
  number,
  source,
  code,
  supportEmail,
}: CodeEmailFacts): EmailContent {
  return {
    heading: 'Your code to confirm a registration',
    blocks: [
      {
        kind: 'paragraph',
        text: `Hello,\n${person} has registered with Apposite under the number ${body} ${number}, and asked for a code at this address. We use it because it’s published (${source}). If that’s you, enter this code on the page that asks for it:`,
      },
      { kind: 'code', text: code },
      {
        kind: 'small',
        text: `The code expires in 10 minutes. If you don’t know about this, don’t share it with anyone, and tell us: ${supportEmail}.`,
      },
    ],
  }
}

type RefusedEmailFacts = Reader & Registration & { kind: 'document' | 'code'; reason: string }

/** Tells a provider why their proof was refused, and what they can do. */
export function refusedProofEmail(refused: RefusedEmailFacts): EmailContent<Block> {
  const { name, body, number, kind, reason, site } = refused
  const what =
    kind === 'document'
      ? `We’ve looked at the document you sent for your registration (${body} ${number}). It doesn’t show us that you’re the person the register names, for this reason:`
      : `We no longer accept the code sent to a published address for your registration (${body} ${number}), for this reason:`
  return {
    heading: 'We need another proof that it’s you',
    blocks: [
      { kind: 'paragraph', text: `Hello ${name},\n${what}` },
      { kind: 'quote', text: reason },
      { kind: 'paragraph', text: 'Send a photo ID or your certificate here:' },
      { kind: 'link', label: 'Send a document', url: `${site}/provider-verify` },
      contactNote(refused),
    ],
  }
}
