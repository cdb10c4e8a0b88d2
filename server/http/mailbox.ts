import { Hono } from 'hono'
import type { Services } from '#server/context.ts'
import { hasDemoEntrance } from '#server/kernel/demo-mode.ts'
import { filesOf, mailJson, renderMail, renderMailbox } from '#server/messages/mailbox-page.ts'
import { findMail, listMails } from '#server/messages/store.ts'
import { budget } from './budget.ts'
import { notFound } from './errors.ts'
import type { HttpEnv } from './request-context.ts'

/** Policy of a shown email: its own inline styles and nothing else, not even images. */
const MAIL_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; object-src 'none'; base-uri 'none'; " +
  "form-action 'none'; frame-ancestors 'self'; sandbox allow-popups allow-top-navigation-by-user-activation"

/** Inside the frame, links must open outside it: our own pages refuse to be framed. */
function withTopTarget(html: string): string {
  return html.replace('<head>', '<head><base target="_top">')
}

/** The address to filter by, lower-cased as emails are stored; null for all. */
function addressIn(query: string | undefined): string | null {
  const to = query?.trim().toLowerCase() ?? ''
  return to === '' ? null : to
}

const MAIL_ROUTE = '/demo/mailbox/:id{eml_[a-z0-9]+}'

/**
 * The pages below `/demo/mailbox`, which show the demo's emails. 404 for an unknown path, and always outside
 * a demo.
 */
export function mailboxRoutes({ config, database: { db } }: Services): Hono<HttpEnv> {
  const routes = new Hono<HttpEnv>()
  if (!hasDemoEntrance(config)) return routes

  // This pattern includes `/demo/mailbox` itself.
  routes.use('/demo/mailbox/*', budget('demo'))
  routes.use('/demo/mailbox.json', budget('demo'))

  routes.get('/demo/mailbox', async (c) => {
    const to = addressIn(c.req.query('to'))
    return c.html(renderMailbox(await listMails(db, to), to))
  })
  routes.get('/demo/mailbox.json', async (c) => {
    const mails = await listMails(db, addressIn(c.req.query('to')))
    return c.json({ mails: mails.map(mailJson) })
  })
  routes.get(MAIL_ROUTE, async (c, next) => {
    const mail = await findMail(db, c.req.param('id'))
    return mail === undefined ? notFound(c, next) : c.html(renderMail(mail))
  })
  routes.get(`${MAIL_ROUTE}/html`, async (c, next) => {
    const mail = await findMail(db, c.req.param('id'))
    if (mail === undefined) return notFound(c, next)
    c.header('content-security-policy', MAIL_POLICY)
    return c.html(withTopTarget(mail.html_body))
  })
  // Attachments are downloaded, never shown as a page of this site.
  routes.get(`${MAIL_ROUTE}/files/:at{[0-9]}`, async (c, next) => {
    const mail = await findMail(db, c.req.param('id'))
    const file = mail === undefined ? undefined : filesOf(mail)[Number(c.req.param('at'))]
    if (file === undefined) return notFound(c, next)
    return c.body(file.text, 200, {
      'content-type': file.type,
      'content-disposition': `attachment; filename="${file.name}"`,
    })
  })
  return routes
}
