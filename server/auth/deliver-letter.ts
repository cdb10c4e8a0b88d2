import type { Services } from '#server/context.ts'
import { sendLetter } from '#server/messages/send-letter.ts'
import { findById } from './account-store.ts'
import { wordsOf } from './templates.ts'
import { NOBODY } from './write-letter.ts'

type Errand = {
  letter: string
  userId: string
  /** Encrypted, or empty. */
  secret: string
  to: string
  deliveryId: string
}

function isCode(part: string): boolean {
  return /^[0-9]{6}$/.test(part)
}

/** Mail readers make a link of "evil.example": a name that is one must not become our advertisement. */
function asGreeting(name: string): string {
  return name.replaceAll(/\.(?=[\p{L}\p{M}]{2})/gu, '. ')
}

/** Mails a letter to the owner of an account, as the account is now. */
export async function deliverLetter(services: Services, errand: Errand): Promise<void> {
  if (errand.letter === NOBODY) return
  const { config, secrets, database } = services
  const account = await findById(database.db, errand.userId)
  if (account === undefined) throw new Error('The account of a letter is not there.')
  const open = (sealed: string) => (sealed === '' ? '' : secrets.open('mail', sealed))
  const parts = open(errand.secret)
    .split(' ')
    .filter((part) => part !== '')
  const to = open(errand.to)
  // Whoever erased their account meanwhile has no address any more, but for the mail about that.
  if (account.erased_at !== null && to === '') return
  const letter = wordsOf(errand.letter, {
    // Staff are added by their address alone.
    firstName: asGreeting(account.first_name === '' ? 'colleague' : account.first_name),
    role: account.role ?? '',
    site: config.publicUrl,
    supportEmail: config.supportEmail,
    token: parts.find((part) => !isCode(part)) ?? '',
    code: parts.find(isCode) ?? '',
  })
  if (letter === null) throw new Error(`There is no letter "${errand.letter}".`)
  await sendLetter(services, {
    deliveryId: errand.deliveryId,
    to: to === '' ? account.email : to,
    letter,
    secrets: parts,
    userId: account.erased_at === null ? account.id : null,
  })
}
