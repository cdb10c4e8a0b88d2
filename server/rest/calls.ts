import { documentCalls } from './api-docs.ts'
import type { RestCall } from './call.ts'
import { accountCalls } from './paths/accounts.ts'
import { bankAccountCalls } from './paths/bank-accounts.ts'
import { bookingCalls, codeCalls } from './paths/booking.ts'
import { calendarLinkCalls, outsideCalendarCalls } from './paths/calendars.ts'
import { deskCalls } from './paths/desk.ts'
import { favouriteCalls } from './paths/favourites.ts'
import { homepageCalls } from './paths/homepage.ts'
import { importCalls } from './paths/imports.ts'
import { outcomeCalls } from './paths/outcomes.ts'
import { historyCalls, paymentCalls } from './paths/payments.ts'
import { peopleCalls } from './paths/people.ts'
import { registerCalls } from './paths/registers.ts'
import { reminderCalls } from './paths/reminders.ts'
import { searchCalls } from './paths/search.ts'
import { siteCalls } from './paths/site.ts'
import { staffCalls } from './paths/staff.ts'
import { visitTypeCalls } from './paths/visit-types.ts'
import { visitCalls } from './paths/visits.ts'

/** Every call that is served outside of `/trpc`, in the order of the documentation. */
export const restCalls: readonly RestCall[] = [
  ...accountCalls,
  ...searchCalls,
  ...peopleCalls,
  ...codeCalls,
  ...visitTypeCalls,
  ...bookingCalls,
  ...paymentCalls,
  ...visitCalls,
  ...deskCalls,
  ...favouriteCalls,
  ...outcomeCalls,
  ...reminderCalls,
  ...calendarLinkCalls,
  ...outsideCalendarCalls,
  ...importCalls,
  ...historyCalls,
  ...bankAccountCalls,
  ...registerCalls,
  ...homepageCalls,
  ...staffCalls,
  ...siteCalls,
  ...documentCalls(() => restCalls),
]
