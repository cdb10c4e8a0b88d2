import type { ErrorCode } from '#contract/errors.ts'
import type { LimitName } from './rate-limit.ts'

/** The people the access matrix knows. */
export type Principal =
  | 'visitor'
  | 'patient'
  | 'provider'
  | 'superuser'
  | 'admin'
  | 'editor'
  | 'author'

type AccessRow = {
  may: readonly Principal[]
  /** A budget every call is counted against, beside the common one. */
  limit?: LimitName
  /** What those are told who may not though they are signed in; `forbidden` when left out. */
  refusal?: ErrorCode
  /** Open to somebody who still has to set up a second factor. */
  duringSetup?: true
}

const anyone: readonly Principal[] = [
  'visitor',
  'patient',
  'provider',
  'superuser',
  'admin',
  'editor',
  'author',
]

const signedIn: readonly Principal[] = anyone.filter((one) => one !== 'visitor')

/** Who may call what, and against which budget it counts. A procedure without a row is refused. */
export const accessTable: ReadonlyMap<string, AccessRow> = new Map([
  ['auth.beginSecondFactor', { may: signedIn, duringSetup: true }],
  ['auth.changeEmail', { may: signedIn }],
  ['auth.changePassword', { may: signedIn }],
  ['auth.checkCode', { may: signedIn }],
  ['auth.confirmEmail', { may: anyone, duringSetup: true }],
  ['auth.confirmSecondFactor', { may: signedIn, duringSetup: true }],
  ['auth.demoAccounts', { may: anyone, duringSetup: true }],
  ['auth.endSession', { may: signedIn }],
  ['auth.enterDemo', { may: anyone, duringSetup: true }],
  ['auth.forgotPassword', { may: anyone, duringSetup: true }],
  ['auth.leaveDemo', { may: anyone, duringSetup: true }],
  ['auth.me', { may: anyone, duringSetup: true }],
  ['auth.refresh', { may: anyone, duringSetup: true }],
  ['auth.registerPatient', { may: anyone }],
  ['auth.removeSecondFactor', { may: signedIn }],
  ['auth.resendVerification', { may: anyone, duringSetup: true }],
  ['auth.resetPassword', { may: anyone, duringSetup: true }],
  ['auth.sendCode', { may: signedIn }],
  ['auth.sessions', { may: signedIn }],
  ['auth.signIn', { may: anyone, duringSetup: true }],
  ['auth.signOut', { may: anyone, duringSetup: true }],
  ['auth.signOutEverywhere', { may: signedIn, duringSetup: true }],
  ['auth.stepUp', { may: signedIn, duringSetup: true }],
  ['auth.verifyEmail', { may: anyone, duringSetup: true }],
  ['availability.freeTimes', { may: anyone }],
  ['booking.calendar', { may: ['patient'], refusal: 'patients_only' }],
  ['booking.checkSlot', { may: anyone }],
  ['booking.current', { may: ['patient'], refusal: 'patients_only' }],
  ['booking.describe', { may: ['patient'], refusal: 'patients_only' }],
  ['booking.hold', { may: ['patient'], refusal: 'patients_only' }],
  ['booking.holds', { may: ['patient'], refusal: 'patients_only' }],
  ['booking.renew', { may: ['patient'], refusal: 'patients_only' }],
  ['booking.visit', { may: ['patient'], refusal: 'patients_only' }],
  ['booking.visits', { may: ['patient'], refusal: 'patients_only' }],
  ['gallery.homepage', { may: anyone }],
  ['messages.contact', { may: anyone }],
  ['payments.capture', { may: ['patient'] }],
  ['payments.leave', { may: ['patient'] }],
  ['payments.options', { may: anyone }],
  ['payments.returned', { may: anyone }],
  ['payments.startCard', { may: ['patient'] }],
  ['payments.startWallet', { may: ['patient'] }],
  ['payments.status', { may: ['patient'] }],
  ['profiles.consent', { may: anyone, duringSetup: true }],
  ['profiles.details', { may: ['patient'] }],
  ['profiles.erase', { may: ['patient', 'provider'] }],
  ['profiles.exportData', { may: ['patient', 'provider'] }],
  ['profiles.registerProvider', { may: anyone }],
  ['profiles.removePhoto', { may: ['patient', 'provider'] }],
  ['profiles.saveConsent', { may: anyone, duringSetup: true }],
  ['profiles.updateDetails', { may: ['patient'] }],
  ['search.map', { may: anyone, limit: 'search' }],
  ['search.prove', { may: anyone }],
  ['search.provider', { may: anyone }],
  ['search.providers', { may: anyone, limit: 'search' }],
  ['search.specialities', { may: anyone }],
  ['search.suggest', { may: anyone }],
] satisfies [string, AccessRow][])
