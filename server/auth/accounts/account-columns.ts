import type { Instant } from '#db/columns.ts'
import { erasedAddress } from '#server/kernel/email-address.ts'
import { type Fates, KEPT } from '#server/kernel/personal-columns.ts'
import type { Account } from './account-store.ts'

/** Matches no password: it is not a PHC string, and erased accounts are not found by address. */
const NO_PASSWORD = 'erased'

type Erased = Pick<Account, 'id' | 'kind'> & { now: Instant }

/** Of every column: whether the person's export contains it, and what erasing the account leaves in it. */
export const accountFates: Fates<Account, Erased> = {
  no: ['internal', KEPT],
  id: ['exported', KEPT],
  kind: ['exported', KEPT],
  email: ['exported', ({ id }) => erasedAddress(id)],
  password_hash: ['internal', NO_PASSWORD],
  first_name: ['exported', 'Former'],
  last_name: ['exported', ({ kind }) => kind],
  phone_number: ['exported', ''],
  date_of_birth: ['exported', null],
  profile_image: ['exported', null],
  provider_no: ['internal', KEPT],
  role: ['internal', KEPT],
  email_verified_at: ['exported', KEPT],
  suspended_at: ['internal', KEPT],
  erased_at: ['internal', ({ now }) => now],
  totp_secret: ['internal', null],
  totp_pending: ['internal', null],
  totp_confirmed_at: ['exported', null],
  totp_last_step: ['internal', KEPT],
  must_change_password: ['internal', KEPT],
  first_password_used_at: ['internal', KEPT],
  default_radius: ['exported', KEPT],
  terms_accepted_at: ['exported', KEPT],
  created_at: ['exported', KEPT],
  updated_at: ['exported', ({ now }) => now],
}
