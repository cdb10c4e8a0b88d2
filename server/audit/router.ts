import { AuditInput, AuditPage, AuditVerdict, VerifyAuditInput } from '#contract/audit.ts'
import { router, staffProcedure } from '#server/trpc.ts'
import { checkAudit, listAudit } from './audit.ts'

export const auditRouter = router({
  list: staffProcedure('readAudit')
    .input(AuditInput)
    .output(AuditPage)
    .query(({ ctx, input }) => listAudit(ctx, input)),
  verify: staffProcedure('readAudit')
    .meta({ isSecret: true })
    .input(VerifyAuditInput)
    .output(AuditVerdict)
    .mutation(({ ctx, input }) => checkAudit(ctx, input)),
})
