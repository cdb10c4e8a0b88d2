import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Hono } from 'hono'
import { compress } from 'hono/compress'
import { etag, RETAINED_304_HEADERS } from 'hono/etag'
import { AUDIT_EXPORT_PATH, AuditFilters } from '#contract/audit.ts'
import { accessFor } from '#contract/base/staff.ts'
import {
  ExportHoursInput,
  ExportVisitsInput,
  HOURS_EXPORT_PATH,
  VISITS_EXPORT_PATH,
} from '#contract/booking-provider.ts'
import { ExportInput } from '#contract/payments.ts'
import { AllHistoryInput, EXPORT_PATH, OWN_EXPORT_PATH } from '#contract/payments-history.ts'
import { DOCUMENT_VIEW_PATH } from '#contract/verification-staff.ts'
import { admit, admitEarly, asProvider, asStaff, audited } from '#server/admission.ts'
import { exportAudit } from '#server/audit/audit.ts'
import { exportHours } from '#server/availability/hours/read-availability.ts'
import { exportVisits } from '#server/booking/visits/export-visits.ts'
import type { Context, Services } from '#server/context.ts'
import type { Access } from '#server/kernel/access.ts'
import type { ExportFile } from '#server/kernel/export-file.ts'
import { assertNoNul, parseInput, parseStrictJson } from '#server/kernel/wire/input.ts'
import { exportHistory, exportOwnHistory } from '#server/payments/history/export-history.ts'
import { type DocumentDownload, readDocument } from '#server/verification/company/company.ts'
import { notFound } from './errors.ts'
import type { HttpEnv, Middleware } from './request-context.ts'
import { JSON_LIMIT, limitBody, readText, sameOrigin, session } from './route-guards.ts'

const NAME = /^[0-9a-f]{32}\.webp$/

/** An opened file may do nothing at all, whatever it contains. */
const POLICY =
  "default-src 'none'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; sandbox"

/** A 304 replaces the headers of the cached copy, so it must carry the same strict policy. */
const revalidated = etag({ retainedHeaders: [...RETAINED_304_HEADERS, 'content-security-policy'] })

/** Stored pictures by the hash of their content; 404 for any other name. */
export function mediaRoutes({ config }: Services): Hono<HttpEnv> {
  const routes = new Hono<HttpEnv>()
  routes.get('/media/:name', revalidated, async (c, next) => {
    const name = c.req.param('name')
    if (!NAME.test(name)) return notFound(c, next)
    try {
      const body = new Uint8Array(await readFile(join(config.dataDir, 'media', name)))
      return c.body(body, 200, {
        'content-type': 'image/webp',
        'content-disposition': 'inline',
        'content-security-policy': POLICY,
        'cache-control': 'public, max-age=31536000, immutable',
        etag: `"${name.slice(0, 32)}"`,
      })
    } catch {
      return notFound(c, next)
    }
  })
  return routes
}

function admitAndRead(ctx: Context, id: string): Promise<DocumentDownload> {
  admit(ctx, DOCUMENT_VIEW_PATH, accessFor('verify'))
  return readDocument(asStaff(ctx), id)
}

/** The document of a company: always an attachment, in a sandbox. */
export function documentRoutes(): Hono<HttpEnv> {
  const routes = new Hono<HttpEnv>()
  // Views are audited, so another site must not be able to trigger them in somebody's browser.
  routes.get(`${DOCUMENT_VIEW_PATH}/:id`, sameOrigin, session, async (c) => {
    const { ctx } = c.var
    const id = c.req.param('id')
    assertNoNul(id)
    const { bytes, type, name } = await audited(ctx, DOCUMENT_VIEW_PATH, () =>
      admitAndRead(ctx, id),
    )
    return c.body(new Uint8Array(bytes), 200, {
      'content-type': type,
      'content-disposition': `attachment; filename="${name}"`,
      'content-security-policy': POLICY,
    })
  })
  return routes
}

type Export = {
  path: string
  /** Who may export, and under which conditions. */
  row: Access
  open(ctx: Context, body: unknown): Promise<ExportFile>
}

const staffHistory: Export = {
  path: EXPORT_PATH,
  row: { ...accessFor('export'), stepUp: 'always' },
  open: (ctx, body) => exportHistory(asStaff(ctx), parseInput(ExportInput, body)),
}

const ownHistory: Export = {
  path: OWN_EXPORT_PATH,
  row: { may: ['provider'] },
  open: (ctx, body) => exportOwnHistory(asProvider(ctx), parseInput(AllHistoryInput, body)),
}

const visits: Export = {
  path: VISITS_EXPORT_PATH,
  row: { may: ['provider'] },
  open: (ctx, body) => exportVisits(asProvider(ctx), parseInput(ExportVisitsInput, body)),
}

const hours: Export = {
  path: HOURS_EXPORT_PATH,
  row: { may: ['provider'] },
  open(ctx, body) {
    parseInput(ExportHoursInput, body)
    return exportHours(asProvider(ctx))
  },
}

const auditLog: Export = {
  path: AUDIT_EXPORT_PATH,
  row: { ...accessFor('readAudit'), stepUp: 'always' },
  open: (ctx, body) => exportAudit(ctx, parseInput(AuditFilters, body)),
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
    // Compressed while it is read.
    routes.post(
      path,
      sameOrigin,
      session,
      admitted,
      limitBody(JSON_LIMIT),
      compress(),
      async (c) => {
        const { ctx } = c.var
        const body = parseStrictJson(await readText(c))
        const open = () => one.open(ctx, body)
        const { fileName, type = 'text/csv', text } = await audited(ctx, path, open)
        const onError = (err: unknown) =>
          ctx.log.error({ err, requestId: ctx.requestId }, 'an export broke off')
        return c.body(streamOf(text, onError), 200, {
          'content-type': `${type}; charset=utf-8`,
          'content-disposition': `attachment; filename="${fileName}"`,
        })
      },
    )
  }
  return routes
}
