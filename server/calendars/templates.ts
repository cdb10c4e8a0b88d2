import type { EmailContent } from '#server/messages/templates.ts'

type CreatedFacts = {
  firstName: string
  name: string
  /** What whoever has the address can see. */
  shows: string
  site: string
  supportEmail: string
}

/** Tells the owner of an account that a calendar link was made for it, and what it gives away. */
export function feedCreatedEmail(facts: CreatedFacts): EmailContent {
  const { firstName, name, shows, site, supportEmail } = facts
  return {
    heading: 'A calendar link was created',
    blocks: [
      {
        kind: 'paragraph',
        text: `Hello ${firstName},\nA private calendar link was created for your account. Anyone who has it can see ${shows}.`,
      },
      { kind: 'facts', rows: [['Link', name]] },
      { kind: 'link', label: 'See your calendar links', url: `${site}/userProfile#feeds` },
      {
        kind: 'small',
        text: `If this wasn’t you, revoke it there, change your password and write to ${supportEmail}.`,
      },
    ],
  }
}
