import type { EmailContent } from '#server/messages/templates.ts'

/** What happened to an account. */
export type NoticeKind = 'added' | 'edited' | 'deleted' | 'primary'

const words: Record<NoticeKind, { heading: string; text: string }> = {
  added: {
    heading: 'A bank account was added',
    text: 'A bank account was added to your profile.',
  },
  edited: {
    heading: 'A bank account was changed',
    text: 'The details of a bank account on your profile were changed.',
  },
  deleted: {
    heading: 'A bank account was deleted',
    text: 'A bank account was deleted from your profile.',
  },
  primary: {
    heading: 'Your primary bank account was changed',
    text: 'A different bank account is now your primary one.',
  },
}

type NoticeFacts = {
  firstName: string
  /** Name and masked number. */
  account: string
  site: string
  supportEmail: string
}

/** Tells a provider what happened to a bank account; null when there is no such email. */
export function noticeEmail(what: string, facts: NoticeFacts): EmailContent | null {
  const found = new Map(Object.entries(words)).get(what)
  if (found === undefined) return null
  return {
    heading: found.heading,
    blocks: [
      { kind: 'paragraph', text: `Hello ${facts.firstName},\n${found.text}` },
      { kind: 'facts', rows: [['Account', facts.account]] },
      { kind: 'link', label: 'See your bank accounts', url: `${facts.site}/doctor/bank-account` },
      {
        kind: 'small',
        text: `If this wasn’t you, reset your password now at ${facts.site}/sign-in and write to ${facts.supportEmail}.`,
      },
    ],
  }
}
