import {
  AuditFile,
  AuditFilters,
  AuditInput,
  AuditPage,
  AuditVerdict,
  VerifyAuditInput,
} from '#contract/audit.ts'
import { router, sessionProcedure } from '#server/trpc.ts'
import { checkAudit } from './check-audit.ts'
import { exportAudit } from './export-audit.ts'
import { listAudit } from './list-audit.ts'

export const auditRouter = router({
  export: sessionProcedure
    .input(AuditFilters)
    .output(AuditFile)
    .mutation(({ ctx, input }) => exportAudit(ctx, input)),
  list: sessionProcedure
    .input(AuditInput)
    .output(AuditPage)
    .query(({ ctx, input }) => listAudit(ctx, input)),
  verify: sessionProcedure
    .input(VerifyAuditInput)
    .output(AuditVerdict)
    .mutation(({ ctx, input }) => checkAudit(ctx, input)),
})
