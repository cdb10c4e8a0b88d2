import { documentCalls } from './api-docs.ts'
import type { RestCall } from './call.ts'
import { accountCalls } from './paths/accounts.ts'
import { bankAccountCalls } from './paths/bank-accounts.ts'
import { bookingCalls, codeCalls } from './paths/booking.ts'
import { homepageCalls } from './paths/homepage.ts'
import { historyCalls, paymentCalls } from './paths/payments.ts'
import { peopleCalls } from './paths/people.ts'
import { registerCalls } from './paths/registers.ts'
import { searchCalls } from './paths/search.ts'
import { siteCalls } from './paths/site.ts'
import { staffCalls } from './paths/staff.ts'

/** Every call that is served outside of `/trpc`, in the order of the documentation. */
export const restCalls: readonly RestCall[] = [
  ...accountCalls,
  ...searchCalls,
  ...peopleCalls,
  ...codeCalls,
  ...bookingCalls,
  ...paymentCalls,
  ...historyCalls,
  ...bankAccountCalls,
  ...registerCalls,
  ...homepageCalls,
  ...staffCalls,
  ...siteCalls,
  ...documentCalls(() => restCalls),
]
