import * as geo from './0001-geo.ts'
import * as profiles from './0002-profiles.ts'
import * as availability from './0003-availability.ts'
import * as search from './0004-search.ts'
import * as messages from './0005-messages.ts'
import * as gallery from './0006-gallery.ts'
import * as auth from './0007-auth.ts'
import * as audit from './0008-audit.ts'
import * as booking from './0009-booking.ts'
import * as payments from './0010-payments.ts'
import * as idempotency from './0011-idempotency.ts'
import * as availabilityRules from './0012-availability-rules.ts'
import * as history from './0013-history.ts'
import * as bankAccounts from './0014-bank-accounts.ts'
import * as verification from './0015-verification.ts'
import * as placesRemoved from './0016-places-removed.ts'
import * as paymentDifferences from './0017-payment-differences.ts'
import * as eventBodies from './0018-event-bodies.ts'
import * as accessTokens from './0019-access-tokens.ts'
import * as staffPayments from './0020-staff-payments.ts'
import * as staff from './0021-staff.ts'
import * as galleryImages from './0022-gallery-images.ts'
import * as verificationRequests from './0023-verification-requests.ts'
import * as outboxFailed from './0024-outbox-failed.ts'
import * as historyCovered from './0025-history-covered.ts'
import * as queues from './0026-queues.ts'
import * as paymentTruths from './0027-payment-truths.ts'
import * as doors from './0028-doors.ts'
import * as holdNetworks from './0029-hold-networks.ts'
import * as references from './0030-references.ts'
import * as registrationNumbers from './0031-registration-numbers.ts'
import * as verificationAnswers from './0032-verification-answers.ts'
import * as visitorHolds from './0033-visitor-holds.ts'
import * as favourites from './0034-favourites.ts'
import * as staffAndProviders from './0035-staff-and-providers.ts'
import * as visitChanges from './0036-visit-changes.ts'
import * as reminders from './0037-reminders.ts'
import * as outcomes from './0038-outcomes.ts'
import * as registrantProofs from './0039-registrant-proofs.ts'
import * as video from './0040-video.ts'
import * as refilledAndAnswers from './0041-refilled-and-answers.ts'
import * as blocks from './0042-blocks.ts'
import * as visitProposals from './0043-visit-proposals.ts'
import * as visitFlags from './0044-visit-flags.ts'
import * as visitTypes from './0045-visit-types.ts'
import * as busyTimes from './0046-busy-times.ts'
import * as deskVisits from './0047-desk-visits.ts'
import * as largeTables from './0048-large-tables.ts'
import * as zonesOfMoves from './0049-zones-of-moves.ts'
import * as searchByMode from './0050-search-by-mode.ts'
import * as formerSenders from './0051-former-senders.ts'
import * as calendarDoubts from './0052-calendar-doubts.ts'
import * as stoppedMail from './0053-stopped-mail.ts'
import type { Step } from './step.ts'

/** Every migration in order. A static list: a file that is not here does not exist. */
export const migrations: Record<string, Step> = {
  '0001-geo': geo,
  '0002-profiles': profiles,
  '0003-availability': availability,
  '0004-search': search,
  '0005-messages': messages,
  '0006-gallery': gallery,
  '0007-auth': auth,
  '0008-audit': audit,
  '0009-booking': booking,
  '0010-payments': payments,
  '0011-idempotency': idempotency,
  '0012-availability-rules': availabilityRules,
  '0013-history': history,
  '0014-bank-accounts': bankAccounts,
  '0015-verification': verification,
  '0016-places-removed': placesRemoved,
  '0017-payment-differences': paymentDifferences,
  '0018-event-bodies': eventBodies,
  '0019-access-tokens': accessTokens,
  '0020-staff-payments': staffPayments,
  '0021-staff': staff,
  '0022-gallery-images': galleryImages,
  '0023-verification-requests': verificationRequests,
  '0024-outbox-failed': outboxFailed,
  '0025-history-covered': historyCovered,
  '0026-queues': queues,
  '0027-payment-truths': paymentTruths,
  '0028-doors': doors,
  '0029-hold-networks': holdNetworks,
  '0030-references': references,
  '0031-registration-numbers': registrationNumbers,
  '0032-verification-answers': verificationAnswers,
  '0033-visitor-holds': visitorHolds,
  '0034-favourites': favourites,
  '0035-staff-and-providers': staffAndProviders,
  '0036-visit-changes': visitChanges,
  '0037-reminders': reminders,
  '0038-outcomes': outcomes,
  '0039-registrant-proofs': registrantProofs,
  '0040-video': video,
  '0041-refilled-and-answers': refilledAndAnswers,
  '0042-blocks': blocks,
  '0043-visit-proposals': visitProposals,
  '0044-visit-flags': visitFlags,
  '0045-visit-types': visitTypes,
  '0046-busy-times': busyTimes,
  '0047-desk-visits': deskVisits,
  '0048-large-tables': largeTables,
  '0049-zones-of-moves': zonesOfMoves,
  '0050-search-by-mode': searchByMode,
  '0051-former-senders': formerSenders,
  '0052-calendar-doubts': calendarDoubts,
  '0053-stopped-mail': stoppedMail,
}

/**
 * The last migration of the latest released version. What comes after it must leave that version working,
 * and a version that knows less must not run over what we made. Raised at each release.
 */
export const RELEASED = '0047-desk-visits'
