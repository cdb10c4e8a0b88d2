import { EmptyInput } from '#contract/base/empty-input.ts'
import { Visit, VisitRef } from '#contract/booking.ts'
import {
  CancelByLinkInput,
  CancelForInput,
  CancelInput,
  Cancelled,
  CancelledByLink,
  CancelManyInput,
  CancelManyResponse,
  CancelResult,
  KeepTimeByLinkInput,
  KeepTimeByLinkResponse,
  KeepTimeInput,
  LinkedVisit,
  MoveAgreedInput,
  MoveByLinkInput,
  Moved,
  MovedByLink,
  MovedVisit,
  MoveForInput,
  MoveInput,
  MoveTerms,
  MoveTermsByLinkInput,
  MoveTermsInput,
  ProposeInput,
  StaffTermsInput,
  VisitLink,
  VisitsInTimeOff,
  VisitTerms,
} from '#contract/visits.ts'
import { FlagCount, Flagged } from '#contract/visits-flags.ts'
import { JoinResponse, VideoTerms } from '#contract/visits-video.ts'
import {
  patientOrProviderProcedure,
  patientProcedure,
  providerProcedure,
  publicProcedure,
  router,
  staffProcedure,
} from '#server/trpc.ts'
import {
  cancelFor,
  cancelMany,
  cancelVisit,
  listInTimeOff,
  readProviderTerms,
  readStaffTerms,
  readTerms,
} from './cancel-visit.ts'
import { countFlagged, readFlagged } from './flags.ts'
import { joinVisit, readVideo } from './join-visit.ts'
import { moveAgreed, moveFor, moveVisit, readMoveTerms } from './move-visit.ts'
import { keepTime, propose } from './propose.ts'
import {
  cancelByLink,
  keepTimeByLink,
  moveByLink,
  readByLink,
  readMoveTermsByLink,
} from './visit-by-link.ts'

export const visitsRouter = router({
  // Public: links in emails may be opened where nobody is signed in.
  byLink: publicProcedure
    .meta({ limit: 'visit_link' })
    .input(VisitLink)
    .output(LinkedVisit)
    .query(({ ctx, input }) => readByLink(ctx, input)),
  cancel: patientProcedure
    .meta({ scope: 'visits:write' })
    .input(CancelInput)
    .output(Cancelled)
    .mutation(({ ctx, input }) => cancelVisit(ctx, input)),
  cancelByLink: publicProcedure
    .meta({ limit: 'visit_link' })
    .input(CancelByLinkInput)
    .output(CancelledByLink)
    .mutation(({ ctx, input }) => cancelByLink(ctx, input)),
  cancelFor: staffProcedure('refund')
    .input(CancelForInput)
    .output(CancelResult)
    .mutation(({ ctx, input }) => cancelFor(ctx, input)),
  cancelMany: providerProcedure
    .meta({ scope: 'visits:write' })
    .input(CancelManyInput)
    .output(CancelManyResponse)
    .mutation(({ ctx, input }) => cancelMany(ctx, input)),
  flagCount: staffProcedure()
    .input(EmptyInput)
    .output(FlagCount)
    .query(({ ctx }) => countFlagged(ctx)),
  flagged: staffProcedure('seeNames')
    .input(EmptyInput)
    .output(Flagged)
    .query(({ ctx }) => readFlagged(ctx)),
  // A mutation, because the join is recorded.
  join: patientOrProviderProcedure
    .meta({ scope: 'visits:write' })
    .input(VisitRef)
    .output(JoinResponse)
    .mutation(({ ctx, input }) => joinVisit(ctx, input)),
  inTimeOff: providerProcedure
    .meta({ scope: 'visits:read' })
    .input(EmptyInput)
    .output(VisitsInTimeOff)
    .query(({ ctx }) => listInTimeOff(ctx)),
  keepTime: patientProcedure
    .meta({ scope: 'visits:write' })
    .input(KeepTimeInput)
    .output(Visit)
    .mutation(({ ctx, input }) => keepTime(ctx, input)),
  keepTimeByLink: publicProcedure
    .meta({ limit: 'visit_link' })
    .input(KeepTimeByLinkInput)
    .output(KeepTimeByLinkResponse)
    .mutation(({ ctx, input }) => keepTimeByLink(ctx, input)),
  move: patientProcedure
    .meta({ scope: 'visits:write' })
    .input(MoveInput)
    .output(Moved)
    .mutation(({ ctx, input }) => moveVisit(ctx, input)),
  moveAgreed: providerProcedure
    .meta({ scope: 'visits:write' })
    .input(MoveAgreedInput)
    .output(MovedVisit)
    .mutation(({ ctx, input }) => moveAgreed(ctx, input)),
  moveByLink: publicProcedure
    .meta({ limit: 'visit_link' })
    .input(MoveByLinkInput)
    .output(MovedByLink)
    .mutation(({ ctx, input }) => moveByLink(ctx, input)),
  moveFor: staffProcedure('refund')
    .input(MoveForInput)
    .output(MovedVisit)
    .mutation(({ ctx, input }) => moveFor(ctx, input)),
  moveTerms: patientProcedure
    .meta({ scope: 'visits:read' })
    .input(MoveTermsInput)
    .output(MoveTerms)
    .query(({ ctx, input }) => readMoveTerms(ctx, input)),
  moveTermsByLink: publicProcedure
    .meta({ limit: 'visit_link' })
    .input(MoveTermsByLinkInput)
    .output(MoveTerms)
    .query(({ ctx, input }) => readMoveTermsByLink(ctx, input)),
  propose: providerProcedure
    .meta({ scope: 'visits:write' })
    .input(ProposeInput)
    .output(EmptyInput)
    .mutation(({ ctx, input }) => propose(ctx, input)),
  providerTerms: providerProcedure
    .meta({ scope: 'visits:read' })
    .input(VisitRef)
    .output(VisitTerms)
    .query(({ ctx, input }) => readProviderTerms(ctx, input)),
  staffTerms: staffProcedure('refund')
    .input(StaffTermsInput)
    .output(VisitTerms)
    .query(({ ctx, input }) => readStaffTerms(ctx, input)),
  terms: patientProcedure
    .meta({ scope: 'visits:read' })
    .input(VisitRef)
    .output(VisitTerms)
    .query(({ ctx, input }) => readTerms(ctx, input)),
  video: patientOrProviderProcedure
    .meta({ scope: 'visits:read' })
    .input(VisitRef)
    .output(VideoTerms)
    .query(({ ctx, input }) => readVideo(ctx, input)),
})
