import { causerLimits, mailboxOf, type ruleOf } from './email-rules.ts'
import { AppError, isRateLimited } from './errors.ts'
import type { AttemptName, Attempts } from './limits/attempts.ts'
import { limitKeys } from './limits/network.ts'
import type { EmailFate } from './outbox.ts'
import type { Secrets } from './security/secrets.ts'

type EmailRule = NonNullable<ReturnType<typeof ruleOf>>

/** Who causes emails in a transaction. */
export type EmailCauser = {
  viewer: { kind: keyof typeof causerLimits; id?: string }
  /** Null for visitors. */
  userId: string | null
  /** Empty for jobs, which have no budget. */
  network: string
}

type Count = { name: AttemptName; subject: string; share: number; whose: 'causer' | 'mailbox' }

/** Keyed hash of a mailbox, by which stopped emails are stored. */
export function stoppedKey({ mac }: Pick<Secrets, 'mac'>, address: string): string {
  return mac('stopped_mail', mailboxOf(address))
}

type Parts = {
  attempts: Attempts
  secrets: Secrets
  /** Whether the registration of a provider is verified now. */
  isVerified: (providerId: string) => Promise<boolean>
  /** Whether emails to the mailbox of a `stoppedKey` are stopped. */
  isStoppedKey: (key: string) => Promise<boolean>
}

/**
 * Admits the emails of one transaction by their rows in `email-rules.ts`. What can refuse the whole transaction is
 * counted at its end, always in the same order, so that no two transactions wait for each other.
 */
export class EmailAdmission {
  readonly #causer: EmailCauser
  readonly #parts: Parts
  readonly #owed: (Count & { isRefusing: boolean })[] = []

  constructor(causer: EmailCauser, parts: Parts) {
    this.#causer = causer
    this.#parts = parts
  }

  /** Whether the owner of an address has stopped emails that strangers cause. */
  isStopped(address: string): Promise<boolean> {
    const { secrets, isStoppedKey } = this.#parts
    return isStoppedKey(stoppedKey(secrets, address))
  }

  /** Returns whether an email is sent, counting it; `to` as `Recipient` has it. */
  async admit(rule: EmailRule, to: string | null): Promise<EmailFate> {
    const { attempts, isVerified } = this.#parts
    const { viewer } = this.#causer
    if (rule.needsVerified && viewer.kind === 'provider') {
      const mayEmail = await isVerified(viewer.id ?? '')
      if (!mayEmail && rule.beyond === 'refused') throw new AppError('provider_not_bookable')
      if (!mayEmail) return 'unverified'
    }
    if (rule.isStoppable && to !== null && (await this.isStopped(to))) return 'stopped'
    const counts = this.#countsOf(rule, to)
    if (rule.beyond !== 'unsent') {
      const isRefusing = rule.beyond === 'refused'
      this.#owed.push(...counts.map((count) => ({ ...count, isRefusing })))
      return 'queued'
    }
    for (const { name, subject } of counts) {
      // What the causer has exhausted takes nothing from the mailbox.
      if (!(await attempts.count(name, subject))) return 'too_many'
    }
    return 'queued'
  }

  #countsOf(rule: EmailRule, to: string | null): Count[] {
    const { viewer, userId, network } = this.#causer
    const name = causerLimits[viewer.kind]
    const isJob = userId === null && network === ''
    // A payment that a webhook settles is nobody's act.
    const isNobodys = isJob || (userId === null && rule.beyond === 'sent')
    const keys = userId === null ? limitKeys(network) : [{ key: userId, share: 1 }]
    const ofCauser = isNobodys
      ? []
      : keys.map(({ key, share }) => ({ name, subject: key, share, whose: 'causer' as const }))
    const mailbox = rule.mailbox === 'own' ? userId : to
    if (mailbox === null || isJob) return ofCauser
    const subject = mailboxOf(mailbox)
    const ofMailbox = rule.limits.map((limit) => {
      return { name: limit, subject, share: 1, whose: 'mailbox' as const }
    })
    return [...ofCauser, ...ofMailbox]
  }

  /** Counts what the transaction owes. Throws `too_many_emails` beyond a budget that refuses. */
  async settle(): Promise<void> {
    const { attempts } = this.#parts
    const keyOf = ({ name, subject }: Count) => `${name} ${subject}`
    const inOrder = this.#owed.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
    for (const { name, subject, share, whose, isRefusing } of inOrder) {
      try {
        // In one transaction.
        if (isRefusing) await attempts.take(name, subject, share)
        else await attempts.count(name, subject)
      } catch (error) {
        if (!isRateLimited(error)) throw error
        throw new AppError('too_many_emails', { ...error.details, whose })
      }
    }
  }
}
