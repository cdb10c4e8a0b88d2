import { accountCalls } from './accounts.ts'
import { documentCalls } from './api-docs.ts'
import { bankAccountCalls } from './bank-accounts.ts'
import { bookingCalls, codeCalls } from './booking.ts'
import { calendarLinkCalls, outsideCalendarCalls } from './calendars.ts'
import type { RestCall } from './call.ts'
import { deskCalls } from './desk.ts'
import { favouriteCalls } from './favourites.ts'
import { homepageCalls } from './homepage.ts'
import { importCalls } from './imports.ts'
import { outcomeCalls } from './outcomes.ts'
import { historyCalls, paymentCalls } from './payments.ts'
import { peopleCalls } from './people.ts'
import { registerCalls } from './registers.ts'
import { reminderCalls } from './reminders.ts'
import { searchCalls } from './search.ts'
import { siteCalls } from './site.ts'
import { staffCalls } from './staff.ts'
import { visitTypeCalls } from './visit-types.ts'
import { visitCalls } from './visits.ts'

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
