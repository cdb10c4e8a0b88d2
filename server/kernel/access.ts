import type { ErrorCode } from '#contract/errors.ts'
import { StaffRole, whoMay } from '#contract/staff.ts'
import type { LimitName } from '#server/kernel/limits/rate-limit.ts'

/** The people the access matrix knows. */
export type Principal = 'visitor' | 'patient' | 'provider' | StaffRole

export type AccessRow = {
  may: readonly Principal[]
  /** A budget every call is counted against, beside the common one. */
  limit?: LimitName
  /** Every call is counted against this one in place of the common one. */
  budget?: LimitName
  /** What those are told who may not though they are signed in; `forbidden` when left out. */
  refusal?: ErrorCode
  /** Open to somebody who still has to set up a second factor, as is what visitors may do. */
  duringSetup?: true
  /** Open to staff who still have to replace their first password, as is what visitors may do. */
  withFirstPassword?: true
  /** Takes a proof of the last five minutes; `or code`: or else a mailed code, which the act checks. */
  stepUp?: 'always' | 'or code'
}

const staff: readonly Principal[] = StaffRole.options

const signedIn: readonly Principal[] = ['patient', 'provider', ...staff]

const anyone: readonly Principal[] = ['visitor', ...signedIn]

/**
 * The access matrix: who may call what, and what it takes beside. A procedure without a row is
 * refused, and `access.test.ts` tries every row with everybody.
 */
export const accessTable: ReadonlyMap<string, AccessRow> = new Map<string, AccessRow>([
  ['accessTokens.create', { may: signedIn, stepUp: 'always' }],
  ['accessTokens.list', { may: signedIn }],
  ['accessTokens.revoke', { may: signedIn }],
  ['audit.export', { ...whoMay('readAudit'), stepUp: 'always' }],
  ['audit.list', whoMay('readAudit')],
  ['audit.verify', whoMay('readAudit')],
  ['auth.acceptTerms', { may: signedIn, duringSetup: true }],
  ['auth.beginSecondFactor', { may: signedIn, stepUp: 'always', duringSetup: true }],
  ['auth.changeEmail', { may: signedIn }],
  ['auth.changePassword', { may: signedIn }],
  ['auth.checkCode', { may: signedIn }],
  ['auth.checkResetLink', { may: anyone }],
  ['auth.confirmEmail', { may: anyone }],
  ['auth.confirmSecondFactor', { may: signedIn, stepUp: 'always', duringSetup: true }],
  ['auth.demoAccounts', { may: anyone }],
  ['auth.endSession', { may: signedIn }],
  ['auth.enterDemo', { may: anyone }],
  ['auth.forgotPassword', { may: anyone }],
  ['auth.leaveDemo', { may: anyone }],
  ['auth.me', { may: anyone }],
  ['auth.refresh', { may: anyone }],
  ['auth.registerPatient', { may: anyone }],
  ['auth.removeSecondFactor', { may: signedIn, stepUp: 'always' }],
  ['auth.resendVerification', { may: anyone }],
  ['auth.resetPassword', { may: anyone }],
  ['auth.sendCode', { may: signedIn }],
  ['auth.sessions', { may: signedIn }],
  ['auth.setFirstPassword', { may: staff, withFirstPassword: true }],
  ['auth.signIn', { may: anyone }],
  ['auth.signInStaff', { may: anyone }],
  ['auth.signOut', { may: anyone }],
  ['auth.signOutEverywhere', { may: signedIn, duringSetup: true, withFirstPassword: true }],
  ['auth.sessionStatus', { may: anyone, budget: 'sessionStatus' }],
  ['auth.stepUp', { may: signedIn, duringSetup: true }],
  ['auth.verifyEmail', { may: anyone }],
  ['availability.addAbsence', { may: ['provider'] }],
  ['availability.addDates', { may: ['provider'] }],
  ['availability.explain', { may: ['provider'] }],
  ['availability.freeTimes', { may: anyone }],
  ['availability.mine', { may: ['provider'] }],
  ['availability.preview', { may: ['provider'] }],
  ['availability.removeAbsence', { may: ['provider'] }],
  ['availability.removeDate', { may: ['provider'] }],
  ['availability.saveHours', { may: ['provider'] }],
  ['bankAccounts.add', { may: ['provider'], stepUp: 'always' }],
  ['bankAccounts.edit', { may: ['provider'], stepUp: 'always' }],
  ['bankAccounts.list', { may: ['provider'] }],
  ['bankAccounts.makePrimary', { may: ['provider'], stepUp: 'always' }],
  ['bankAccounts.remove', { may: ['provider'], stepUp: 'always' }],
  ['booking.calendar', { may: ['patient'], refusal: 'patients_only' }],
  ['booking.checkSlot', { may: anyone, limit: 'slot' }],
  ['booking.current', { may: ['patient'], refusal: 'patients_only' }],
  ['booking.describe', { may: ['patient'], refusal: 'patients_only' }],
  ['booking.hold', { may: ['patient'], refusal: 'patients_only' }],
  ['booking.holds', { may: ['patient'], refusal: 'patients_only' }],
  ['booking.providerVisit', { may: ['provider'] }],
  ['booking.purpose', { may: ['provider'] }],
  ['booking.renew', { may: ['patient'], refusal: 'patients_only' }],
  ['booking.today', { may: ['provider'] }],
  ['booking.visit', { may: ['patient'], refusal: 'patients_only' }],
  ['booking.visits', { may: ['patient'], refusal: 'patients_only' }],
  ['erasure.ahead', { may: ['patient', 'provider'] }],
  ['erasure.erase', { may: ['patient', 'provider'], stepUp: 'or code' }],
  ['gallery.describe', whoMay('upload')],
  ['gallery.homepage', { may: anyone }],
  ['gallery.images', whoMay('upload')],
  ['gallery.publishColor', whoMay('publish')],
  ['gallery.publishImage', whoMay('publish')],
  ['gallery.publishModal', whoMay('publish')],
  ['gallery.remove', whoMay('upload')],
  ['gallery.restore', whoMay('publish')],
  ['gallery.versions', whoMay('upload')],
  ['messages.contact', { may: anyone }],
  ['messages.failed', { may: staff }],
  ['messages.failedCount', { may: staff }],
  ['messages.retry', whoMay('retryMail')],
  ['payments.capture', { may: ['patient'] }],
  ['payments.decideReview', whoMay('reviewPayments')],
  ['payments.differences', { may: staff }],
  ['payments.earnings', { may: ['provider'] }],
  ['payments.exportHistory', { ...whoMay('export'), stepUp: 'always' }],
  ['payments.exportOwnHistory', { may: ['provider'] }],
  ['payments.incomeByDay', { may: staff }],
  ['payments.leave', { may: ['patient'] }],
  ['payments.options', { may: anyone }],
  ['payments.printHistory', { may: staff }],
  ['payments.printOwnHistory', { may: ['provider'] }],
  ['payments.providerHistory', { may: ['provider'] }],
  ['payments.refund', whoMay('refund')],
  ['payments.returned', { may: anyone }],
  ['payments.reviewCount', { may: staff }],
  ['payments.reviews', { may: staff }],
  ['payments.settleDifference', whoMay('reviewPayments')],
  ['payments.settleRefund', whoMay('reviewPayments')],
  ['payments.staffHistory', { may: staff }],
  ['payments.staffPayment', { may: staff }],
  ['payments.startCard', { may: ['patient'] }],
  ['payments.startWallet', { may: ['patient'] }],
  ['payments.status', { may: ['patient'] }],
  ['profiles.addPlace', { may: ['provider'] }],
  ['profiles.consent', { may: anyone }],
  ['profiles.details', { may: ['patient'] }],
  ['profiles.editPlace', { may: ['provider'] }],
  ['profiles.exportData', { may: ['patient', 'provider'], stepUp: 'always' }],
  ['profiles.makeMainPlace', { may: ['provider'] }],
  ['profiles.own', { may: ['provider'] }],
  ['profiles.registerProvider', { may: anyone }],
  ['profiles.removePhoto', { may: ['patient', 'provider'] }],
  ['profiles.removePlace', { may: ['provider'] }],
  ['profiles.saveConsent', { may: anyone, limit: 'consent' }],
  ['profiles.updateAbout', { may: ['provider'] }],
  ['profiles.updateDetails', { may: ['patient'] }],
  ['profiles.updateIdentity', { may: ['provider'] }],
  ['profiles.updateOffer', { may: ['provider'] }],
  ['search.map', { may: anyone, limit: 'search' }],
  ['search.preview', { may: ['provider'] }],
  ['search.prove', { may: anyone }],
  ['search.provider', { may: anyone }],
  ['search.providers', { may: anyone, limit: 'search' }],
  ['search.specialities', { may: anyone }],
  ['search.suggest', { may: anyone }],
  ['superUsers.add', { ...whoMay('manageStaff'), stepUp: 'always' }],
  ['superUsers.addFirst', { may: anyone }],
  ['superUsers.changeRole', { ...whoMay('manageStaff'), stepUp: 'always' }],
  ['superUsers.list', { may: staff }],
  ['superUsers.remove', { ...whoMay('manageStaff'), stepUp: 'always' }],
  ['verification.answer', { may: ['provider'] }],
  ['verification.askAgain', whoMay('verify')],
  ['verification.counts', { may: staff }],
  ['verification.decide', whoMay('verify')],
  ['verification.decideCompany', whoMay('verify')],
  ['verification.lookUp', whoMay('verify')],
  ['verification.lookUpMine', { may: ['provider'] }],
  ['verification.mine', { may: ['provider'] }],
  ['verification.provider', { may: staff }],
  ['verification.providers', { may: staff }],
  ['verification.queue', whoMay('verify')],
  ['verification.sendCompany', { may: ['provider'] }],
] satisfies [string, AccessRow][])
