import type { Db } from '#db/engine.ts'

/** The account itself, without what one signs in with. */
export function getAccountOf(db: Db, no: number) {
  return db
    .selectFrom('accounts')
    .select([
      'id',
      'kind',
      'email',
      'first_name',
      'last_name',
      'phone_number',
      'date_of_birth',
      'profile_image',
      'provider_no',
      'email_verified_at',
      'totp_confirmed_at',
      'default_radius',
      'terms_accepted_at',
      'created_at',
      'updated_at',
    ])
    .where('no', '=', no)
    .executeTakeFirstOrThrow()
}

export function getProviderOf(db: Db, no: number) {
  return db
    .selectFrom('providers')
    .select([
      'id',
      'region',
      'title',
      'first_name',
      'last_name',
      'gender',
      'email',
      'phone',
      'professional_body',
      'membership_number',
      'verification_status',
      'verified_at',
      'photo',
      'about',
      'qualifications',
      'languages',
      'amount_minor',
      'follow_amount_minor',
      'currency',
      'consultation_minutes',
      'created_at',
      'updated_at',
    ])
    .where('no', '=', no)
    .executeTakeFirstOrThrow()
}

export function listPlacesOf(db: Db, providerNo: number) {
  return db
    .selectFrom('places')
    .select(['name', 'address', 'locality', 'postcode', 'time_zone', 'phone'])
    .where('provider_no', '=', providerNo)
    .orderBy('position')
    .execute()
}

export function listSessionsOf(db: Db, accountNo: number) {
  return db
    .selectFrom('sessions')
    .select(['device', 'network', 'created_at', 'last_used_at', 'ended_at', 'end_reason'])
    .where('account_no', '=', accountNo)
    .orderBy('created_at', 'desc')
    .execute()
}

export function listConsentsOf(db: Db, accountNo: number) {
  return db
    .selectFrom('consents')
    .select(['id', 'preferences', 'statistics', 'created_at', 'updated_at'])
    .where('account_no', '=', accountNo)
    .orderBy('created_at')
    .execute()
}

/** What an address wrote through the contact form. */
export function listMessagesFrom(db: Db, email: string) {
  return db
    .selectFrom('contact_messages')
    .select(['id', 'first_name', 'last_name', 'email', 'message', 'created_at'])
    .where('email', '=', email)
    .orderBy('created_at')
    .execute()
}

/**
 * What was mailed to somebody, without the bodies: they are in their own mailbox. Mails about
 * another account are left out, though the address may have been that one's before.
 */
export function listMailsTo(db: Db, { email, userId }: { email: string; userId: string }) {
  return db
    .selectFrom('mails')
    .select(['subject', 'created_at'])
    .where('to_address', '=', email)
    .where((where) => where.or([where('user_id', '=', userId), where('user_id', 'is', null)]))
    .orderBy('created_at')
    .execute()
}

/** What somebody did, from the audit log. */
export function listActivityOf(db: Db, userId: string) {
  return db
    .selectFrom('audit')
    .select(['at', 'action', 'outcome', 'network', 'entity'])
    .where('actor_id', '=', userId)
    .orderBy('no')
    .execute()
}
