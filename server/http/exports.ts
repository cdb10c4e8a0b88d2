import { Hono } from 'hono'
import * as z from 'zod/mini'
import { AUDIT_EXPORT_PATH, AuditFilters } from '#contract/audit.ts'
import {
  ExportHoursInput,
  ExportVisitsInput,
  HOURS_EXPORT_PATH,
  VISITS_EXPORT_PATH,
} from '#contract/booking-export.ts'
import { AllHistoryInput, EXPORT_PATH, OWN_EXPORT_PATH } from '#contract/payments-history.ts'
import { ExportInput } from '#contract/payments-staff.ts'
import { accessFor } from '#contract/staff.ts'
import { admitEarly, audited } from '#server/admission.ts'
import { exportAudit } from '#server/audit/export-audit.ts'
import { exportHours } from '#server/availability/hours/export-hours.ts'
import { exportVisits } from '#server/booking/visits/export-visits.ts'
import type { Context } from '#server/context.ts'
import type { AccessRow } from '#server/kernel/access.ts'
import { AppError } from '#server/kernel/errors.ts'
import type { ExportFile } from '#server/kernel/export-file.ts'
import { inputRefusal } from '#server/kernel/wire/input-errors.ts'
import { parseStrictJson } from '#server/kernel/wire/json.ts'
import { exportHistory, exportOwnHistory } from '#server/payments/history/export-history.ts'
import { JSON_LIMIT, limitBody, readText } from './body.ts'
import { sameOrigin } from './origin.ts'
import type { HttpEnv, Middleware } from './request-context.ts'
import { session } from './session.ts'

type Export = {
  path: string
  /** Who may export: a row as in the access matrix. */
  row: AccessRow
  open(ctx: Context, body: unknown): Promise<ExportFile>
}

function read<S extends z.ZodMiniType>(schema: S, body: unknown): z.output<S> {
  const { success, data, error } = z.safeParse(schema, body)
  if (!success) throw inputRefusal(error)
  return data
}

const staffHistory: Export = {
  path: EXPORT_PATH,
  row: { ...accessFor('export'), stepUp: 'always' },
  open(ctx, body) {
    const { viewer } = ctx
    if (viewer.kind !== 'staff') throw new AppError('forbidden')
    return exportHistory({ ...ctx, viewer }, read(ExportInput, body))
  },
}

const ownHistory: Export = {
  path: OWN_EXPORT_PATH,
  row: { may: ['provider'] },
  open: (ctx, body) => exportOwnHistory(ctx, read(AllHistoryInput, body)),
}

const visits: Export = {
  path: VISITS_EXPORT_PATH,
  row: { may: ['provider'] },
  open: (ctx, body) => exportVisits(ctx, read(ExportVisitsInput, body)),
}

const hours: Export = {
  path: HOURS_EXPORT_PATH,
  row: { may: ['provider'] },
  open(ctx, body) {
    read(ExportHoursInput, body)
    return exportHours(ctx)
  },
}

const auditLog: Export = {
  path: AUDIT_EXPORT_PATH,
  row: { ...accessFor('readAudit'), stepUp: 'always' },
  open: (ctx, body) => exportAudit(ctx, read(AuditFilters, body)),
}

/** A text as a byte stream that produces each chunk on demand. */
export function streamOf(
  text: ExportFile['text'],
  onError: (error: unknown) => void,
): ReadableStream {
  const encoder = new TextEncoder()
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await text.next()
        if (done) controller.close()
        else controller.enqueue(encoder.encode(value))
      } catch (error) {
        // The headers have been sent, so the connection is cut: the client must see that the file is
        // incomplete.
        onError(error)
        controller.error(error)
      }
    },
    async cancel() {
      await text.return()
    },
  })
}

/** Exports that are read while they are sent, always as attachments. */
export function exportRoutes(): Hono<HttpEnv> {
  const routes = new Hono<HttpEnv>()
  for (const one of [staffHistory, ownHistory, visits, hours, auditLog]) {
    const { path, row } = one
    // Callers without permission are refused before the body is read.
    const admitted: Middleware = async (c, next) => {
      await audited(c.var.ctx, path, () => admitEarly(c.var.ctx, path, row))
      await next()
    }
    routes.post(path, sameOrigin, session, admitted, limitBody(JSON_LIMIT), async (c) => {
      const { ctx } = c.var
      const body = parseStrictJson(await readText(c))
      const {
        fileName,
        type = 'text/csv',
        text,
      } = await audited(ctx, path, () => one.open(ctx, body))
      const onError = (err: unknown) =>
        ctx.log.error({ err, requestId: ctx.requestId }, 'an export broke off')
      return c.body(streamOf(text, onError), 200, {
        'content-type': `${type}; charset=utf-8`,
        'content-disposition': `attachment; filename="${fileName}"`,
      })
    })
  }
  return routes
}
