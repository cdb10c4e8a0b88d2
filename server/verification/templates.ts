import type { ProfessionalBody } from '#contract/people.ts'
import type { LossReason } from '#contract/verification.ts'
import type { EmailContent } from '#server/messages/templates.ts'

type Facts = {
  name: string
  body: ProfessionalBody
  number: string
  because: LossReason
  /** The register's own words; empty when it has no such number. */
  statusText: string
  /** The name it has now, or empty. */
  registerName: string
  site: string
  supportEmail: string
}

type Visit = { reference: string; when: string }

function whatItSays({ body, number, because, statusText, registerName }: Facts): string {
  if (because === 'vanished') {
    return `On two nights in a row the ${body} register had no entry under ${number}.`
  }
  if (because === 'renamed') {
    return `On two nights in a row the ${body} register had another name under ${number}: ${registerName}.`
  }
  return `The ${body} register now says about ${number}: ${statusText}.`
}

/** Tells a provider that their profile is hidden, why, and what they can do. */
export function lostEmail(facts: Facts, visits: Visit[]): EmailContent {
  const { name, site, supportEmail } = facts
  const booked =
    visits.length === 0
      ? 'No visits are booked with you.'
      : `The ${visits.length === 1 ? 'visit that is' : `${visits.length} visits that are`} booked with you stay booked for now; our staff will be in touch about them.`
  return {
    heading: 'Your profile is hidden for now',
    blocks: [
      { kind: 'paragraph', text: `Hello ${name},\n${whatItSays(facts)}` },
      {
        kind: 'paragraph',
        text: `We list only people whose registration bears out what they told us. Your profile is therefore not shown, and nobody can book you. ${booked}`,
      },
      {
        kind: 'paragraph',
        text: 'If this is a mistake, have the register put it right, then compare again here:',
      },
      { kind: 'link', label: 'See what the register says', url: `${site}/provider-verify` },
      { kind: 'small', text: `If anything is unclear, write to ${supportEmail}.` },
    ],
  }
}

/** Tells staff who was hidden, why, and which visits are still booked: by reference only. */
export function lostNotice(facts: Facts & { providerId: string }, visits: Visit[]): EmailContent {
  return {
    heading: `A provider has lost their standing: ${facts.body} ${facts.number}`,
    blocks: [
      {
        kind: 'paragraph',
        text: `${whatItSays(facts)} The profile is hidden and nobody can book it.`,
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
    ],
  }
}

/** What a letter about a decision names. */
type Decided = {
  name: string
  body: ProfessionalBody
  number: string
  site: string
  supportEmail: string
}

/** Tells a provider that patients can find them. */
export function verifiedEmail({ name, body, number, site, supportEmail }: Decided): EmailContent {
  return {
    heading: 'You are verified',
    blocks: [
      {
        kind: 'paragraph',
        text: `Hello ${name},\nour staff have compared what you told us with the ${body} register (${number}). It all matches: your profile is Verified, and patients can find you.`,
      },
      {
        kind: 'paragraph',
        text: 'They can book the times you offer. If you have not set your hours yet, do it here:',
      },
      { kind: 'link', label: 'Set your hours', url: `${site}/doctor/availability/new` },
      {
        kind: 'small',
        text: `We compare with the register every night. If anything is unclear, write to ${supportEmail}.`,
      },
    ],
  }
}

/** Tells a provider that they are not listed, with the reason staff gave, and what they can do. */
export function refusedEmail(facts: Decided, reason: string): EmailContent {
  const { name, body, number, site, supportEmail } = facts
  return {
    heading: 'We could not verify your registration',
    blocks: [
      {
        kind: 'paragraph',
        text: `Hello ${name},\nour staff have looked at your registration (${body} ${number}) and could not verify it. Your profile is not shown to patients for now. Visits that are booked stay booked. This is the reason they gave:`,
      },
      { kind: 'paragraph', text: reason },
      {
        kind: 'paragraph',
        text: 'When it is put right, in your profile or with the register, compare again here:',
      },
      { kind: 'link', label: 'See what the register says', url: `${site}/provider-verify` },
      { kind: 'small', text: `If anything is unclear, write to ${supportEmail}.` },
    ],
  }
}
