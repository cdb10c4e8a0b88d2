import { AuditInput, AuditPage, AuditVerdict, VerifyAuditInput } from '#contract/audit.ts'
import { router, sessionProcedure } from '#server/trpc.ts'
import { checkAudit, listAudit } from './audit.ts'

export const auditRouter = router({
  list: sessionProcedure
    .input(AuditInput)
    .output(AuditPage)
    .query(({ ctx, input }) => listAudit(ctx, input)),
  verify: sessionProcedure
    .input(VerifyAuditInput)
    .output(AuditVerdict)
    .mutation(({ ctx, input }) => checkAudit(ctx, input)),
})
