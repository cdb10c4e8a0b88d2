import { scopeFacts, type TokenScope } from '#contract/access-tokens.ts'
import type { EmailContent } from '#server/messages/templates.ts'

type CreatedFacts = {
  firstName: string
  name: string
  scopes: readonly TokenScope[]
  /** Its last day, as people write it. */
  until: string
  site: string
  supportEmail: string
}

/** Tells the owner of an account that a token was made for it, and what it can do. */
export function createdEmail(facts: CreatedFacts): EmailContent {
  const { firstName, name, scopes, until, site, supportEmail } = facts
  return {
    heading: 'An access token was created',
    blocks: [
      {
        kind: 'paragraph',
        text: `Hello ${firstName},\nAn access token was created for your account. Programs that have it can do this without your password:`,
      },
      {
        kind: 'facts',
        rows: [
          ['Token', name],
          ['May', scopes.map((scope) => scopeFacts[scope].words).join('; ')],
          ['Until', until],
        ],
      },
      { kind: 'link', label: 'See your access tokens', url: `${site}/userProfile#tokens` },
      {
        kind: 'small',
        text: `If this wasn’t you, revoke it there, change your password and write to ${supportEmail}.`,
      },
    ],
  }
}
