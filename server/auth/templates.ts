import type { AccountKind } from '#server/auth/rules.ts'
import type { AccountLetter } from '#server/kernel/outbox-topics.ts'
import type { EmailContent, OwnBlock } from '#server/messages/templates.ts'

/** The values an email's text needs. */
export type EmailFacts = {
  firstName: string
  /** Kind of the account: one address may have several. */
  kind: AccountKind
  /** Role of a staff account; empty for everybody else. */
  role: string
  /** URL of the site, without a trailing slash. */
  site: string
  supportEmail: string
  /** Token and code; empty when the email has none. */
  token: string
  code: string
  /** Path the link leads to once it was followed; empty for none. */
  next: string
}

type Writer = (facts: EmailFacts) => EmailContent

const paragraph = (text: string): OwnBlock => ({ kind: 'paragraph', text })
const small = (text: string): OwnBlock => ({ kind: 'small', text })

const NOT_YOU = 'If this wasn’t you, you can ignore this email: nothing has changed.'

function securityNotice({ site, supportEmail }: EmailFacts): OwnBlock {
  return small(
    `If this wasn’t you, reset your password now at ${site}/sign-in and write to ${supportEmail}.`,
  )
}

/** Only a colleague can reset a staff password. */
function staffSecurityNotice({ supportEmail }: EmailFacts): OwnBlock {
  return small(
    `If you didn’t expect this, tell a superuser right away, or write to ${supportEmail}.`,
  )
}

const staffSignIn = ({ site }: EmailFacts): OwnBlock => ({
  kind: 'link',
  label: 'Sign in as staff',
  url: `${site}/admin-signin`,
})

/** "a superuser", "an editor". */
function withArticle(role: string): string {
  return `${/^[aeiou]/.test(role) ? 'an' : 'a'} ${role}`
}

const resetLink = ({ site, token }: EmailFacts, label: string): OwnBlock => ({
  kind: 'link',
  label,
  url: `${site}/reset-password/${token}`,
})

const verifyLink = ({ site, token, next }: EmailFacts): OwnBlock => ({
  kind: 'link',
  label: 'Confirm my email address',
  url: `${site}/verify/${token}${next === '' ? '' : `?${new URLSearchParams({ next })}`}`,
})

const codeBlock = ({ code }: EmailFacts): OwnBlock => ({ kind: 'code', text: code })

const writers: Record<AccountLetter, Writer> = {
  verify: (facts) => ({
    heading: 'Confirm your email address',
    blocks: [
      paragraph(
        `Hello ${facts.firstName},\nThanks for registering with Apposite. Confirm your email address to start using your account.`,
      ),
      verifyLink(facts),
      small(`The link works once, for 24 hours. ${NOT_YOU}`),
    ],
  }),
  verify_provider: (facts) => ({
    heading: 'Confirm your email address',
    blocks: [
      paragraph(
        `Hello ${facts.firstName},\nThanks for registering your practice with Apposite. Enter this code on the page where you registered:`,
      ),
      codeBlock(facts),
      paragraph('Or follow this link, on any device:'),
      verifyLink(facts),
      small(`The code expires in 10 minutes, the link in 24 hours. ${NOT_YOU}`),
    ],
  }),
  already_registered: (facts) => ({
    heading: 'You already have an account',
    blocks: [
      paragraph(
        `Hello ${facts.firstName},\nSomeone, probably you, tried to create an account with this email address. You already have one, and nothing about it has changed. If you’ve forgotten your password, set a new one:`,
      ),
      resetLink(facts, 'Set a new password'),
      small(`The link works once, for 30 minutes. ${NOT_YOU}`),
    ],
  }),
  reset: (facts) => ({
    heading: 'Reset your password',
    blocks: [
      paragraph(
        `Hello ${facts.firstName},\nUse this link to set a new password for your ${facts.kind} account:`,
      ),
      resetLink(facts, 'Set a new password'),
      small(`The link works once, for 30 minutes. ${NOT_YOU}`),
    ],
  }),
  password_changed: (facts) => ({
    heading: 'Your password was changed',
    blocks: [
      paragraph(
        `Hello ${facts.firstName},\nYour password was changed, and you’ve been signed out on all devices. Access tokens and calendar links of before no longer work.`,
      ),
      securityNotice(facts),
    ],
  }),
  confirm_address: (facts) => ({
    heading: 'Confirm your new email address',
    blocks: [
      paragraph(`Hello ${facts.firstName},\nFollow this link to start using this email address:`),
      verifyLink(facts),
      small(`The link works once, for 24 hours. ${NOT_YOU}`),
    ],
  }),
  address_change_asked: (facts) => ({
    heading: 'Your email address is about to change',
    blocks: [
      paragraph(
        `Hello ${facts.firstName},\nSomeone asked to change the email address of your account. It changes as soon as the new address is confirmed.`,
      ),
      securityNotice(facts),
    ],
  }),
  email_changed: (facts) => ({
    heading: 'Your email address was changed',
    blocks: [
      paragraph(
        `Hello ${facts.firstName},\nThe email address of your account was changed, and other devices have been signed out. Access tokens and calendar links of before no longer work.`,
      ),
      // Whoever lost the account can't reset its password: the link would go to the new address.
      small(`If this wasn’t you, write to ${facts.supportEmail} right away.`),
    ],
  }),
  booking_code: (facts) => ({
    heading: 'Your code to book a visit',
    blocks: [
      paragraph(`Hello ${facts.firstName},\nEnter this code to continue with your booking:`),
      codeBlock(facts),
      small(`It expires in 10 minutes. ${NOT_YOU}`),
    ],
  }),
  erase_code: (facts) => ({
    heading: 'Your code to delete your account',
    blocks: [
      paragraph(`Hello ${facts.firstName},\nEnter this code to delete your account permanently:`),
      codeBlock(facts),
      small('It expires in 10 minutes. Nothing is deleted without it.'),
      securityNotice(facts),
    ],
  }),
  second_factor_on: (facts) => ({
    heading: 'Signing in now needs your authenticator app',
    blocks: [
      paragraph(
        `Hello ${facts.firstName},\nAn authenticator app was set up for your account. Keep your recovery codes somewhere safe: each one works once in place of the app.`,
      ),
      securityNotice(facts),
    ],
  }),
  second_factor_off: (facts) => ({
    heading: 'Signing in no longer needs your authenticator app',
    blocks: [
      paragraph(`Hello ${facts.firstName},\nThe authenticator app was removed from your account.`),
      securityNotice(facts),
    ],
  }),
  recovery_used: (facts) => ({
    heading: 'A recovery code was used',
    blocks: [
      paragraph(
        `Hello ${facts.firstName},\nSomeone used one of your recovery codes to sign in or confirm it’s you. It won’t work again.`,
      ),
      securityNotice(facts),
    ],
  }),
  erased: (facts) => ({
    heading: 'Your account was deleted',
    blocks: [
      paragraph(
        'We’ve deleted your account and your data, as you asked. We keep only what the law requires, without your name.',
      ),
      small(`If anything is unclear, write to ${facts.supportEmail}.`),
    ],
  }),
  staff_added: (facts) => ({
    heading: 'You’ve joined the staff of Apposite',
    blocks: [
      paragraph(
        `Hello ${facts.firstName},\nA superuser has added you to the staff as ${withArticle(facts.role)}. Sign in with this email address and the first password your colleague gives you. It works once, then you choose your own.`,
      ),
      staffSignIn(facts),
      staffSecurityNotice(facts),
    ],
  }),
  password_chosen: (facts) => ({
    heading: 'You’ve set your own password',
    blocks: [
      paragraph(
        `Hello ${facts.firstName},\nYou’ve replaced your first password with your own. Only the new one works now.`,
      ),
      staffSecurityNotice(facts),
    ],
  }),
  role_changed: (facts) => ({
    heading: 'Your role was changed',
    blocks: [
      paragraph(
        `Hello ${facts.firstName},\nA superuser has changed your role: you’re now ${withArticle(facts.role)}. You’ve been signed out on all devices. Sign in again to continue.`,
      ),
      staffSignIn(facts),
      staffSecurityNotice(facts),
    ],
  }),
  staff_removed: (facts) => ({
    heading: 'You’ve been removed from the staff of Apposite',
    blocks: [
      paragraph(
        'A superuser has removed you from the staff. Your account is closed, and you’ve been signed out on all devices.',
      ),
      small(`If anything is unclear, write to ${facts.supportEmail}.`),
    ],
  }),
}

/** Heading, which is also the subject, and text of an email. */
export function emailText(kind: AccountLetter, facts: EmailFacts): EmailContent {
  return writers[kind](facts)
}
