import { accessTokensRouter } from './access-tokens/router.ts'
import { auditRouter } from './audit/router.ts'
import { authRouter } from './auth/router.ts'
import { availabilityRouter } from './availability/router.ts'
import { bankAccountsRouter } from './bank-accounts/router.ts'
import { bookingRouter } from './booking/router.ts'
import { calendarsRouter } from './calendars/router.ts'
import { erasureRouter } from './erasure/router.ts'
import { galleryRouter } from './gallery/router.ts'
import { importsRouter } from './imports/router.ts'
import { messagesRouter } from './messages/router.ts'
import { outcomesRouter } from './outcomes/router.ts'
import { outsideCalendarsRouter } from './outside-calendars/router.ts'
import { paymentsRouter } from './payments/router.ts'
import { profilesRouter } from './profiles/router.ts'
import { remindersRouter } from './reminders/router.ts'
import { searchRouter } from './search/router.ts'
import { superUsersRouter } from './super-users/router.ts'
import { createCallerFactory, router } from './trpc.ts'
import { verificationRouter } from './verification/router.ts'
import { visitsRouter } from './visits/router.ts'

/** Every room by its name; the name is the tRPC key. */
export const appRouter = router({
  accessTokens: accessTokensRouter,
  audit: auditRouter,
  auth: authRouter,
  availability: availabilityRouter,
  bankAccounts: bankAccountsRouter,
  booking: bookingRouter,
  calendars: calendarsRouter,
  erasure: erasureRouter,
  gallery: galleryRouter,
  imports: importsRouter,
  messages: messagesRouter,
  outcomes: outcomesRouter,
  outsideCalendars: outsideCalendarsRouter,
  payments: paymentsRouter,
  profiles: profilesRouter,
  reminders: remindersRouter,
  search: searchRouter,
  superUsers: superUsersRouter,
  verification: verificationRouter,
  visits: visitsRouter,
})

export type AppRouter = typeof appRouter

/** Calls procedures without HTTP, for tests, REST and jobs. */
export const createCaller = createCallerFactory(appRouter)
