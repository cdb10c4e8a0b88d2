import type { Services } from '#server/context.ts'
import type { Answers } from '#server/kernel/answer.ts'
import { filesOf, mailJson, renderMail, renderMailbox } from './mailbox-page.ts'
import { findMail, listMails } from './store.ts'

const HTML = { 'content-type': 'text/html; charset=utf-8' }
const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' }

/** A mail brings its own inline styles and may do nothing else, not even load a picture. */
const MAIL_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; object-src 'none'; base-uri 'none'; " +
  "form-action 'none'; frame-ancestors 'self'; sandbox allow-popups allow-top-navigation-by-user-activation"

/** Shown in a frame, links have to leave it: our own pages refuse to be framed. */
function leavingTheFrame(html: string): string {
  return html.replace('<head>', '<head><base target="_top">')
}

/** The address asked for, as mails are stored: in lower case, null for everybody's. */
function addressIn(url: URL): string | null {
  const to = url.searchParams.get('to')?.trim().toLowerCase() ?? ''
  return to === '' ? null : to
}

/**
 * The pages below `/demo/mailbox`, where mails go that have no mail server to leave by. Null when
 * there is nothing at the path, and always when this is no demo.
 */
export function makeMailbox(services: Services, answers: Answers) {
  const { db } = services.database

  async function one(request: Request, id: string): Promise<Response | null> {
    const mail = await findMail(db, id)
    return mail === undefined
      ? null
      : answers.text(request, 200, { body: renderMail(mail), headers: HTML })
  }

  /** A file of a mail, to be kept and never to be shown as a page of this site. */
  async function file(id: string, position: number): Promise<Response | null> {
    const mail = await findMail(db, id)
    const found = mail === undefined ? undefined : filesOf(mail)[position]
    if (found === undefined) return null
    return answers.send(200, found.text, {
      'content-type': found.type,
      'content-disposition': `attachment; filename="${found.name}"`,
      'cache-control': 'no-store',
    })
  }

  async function content(id: string): Promise<Response | null> {
    const mail = await findMail(db, id)
    const headers = { ...HTML, 'content-security-policy': MAIL_POLICY, 'cache-control': 'no-store' }
    return mail === undefined ? null : answers.send(200, leavingTheFrame(mail.html_body), headers)
  }

  return async (request: Request): Promise<Response | null> => {
    if (!services.config.demo) return null
    const url = new URL(request.url)
    const rest = url.pathname.slice('/demo/mailbox'.length)
    const id = /^\/(eml_[a-z0-9]+)(\/html)?$/.exec(rest)
    if (id?.[1] !== undefined) {
      return id[2] === undefined ? one(request, id[1]) : content(id[1])
    }
    const part = /^\/(eml_[a-z0-9]+)\/files\/(\d)$/.exec(rest)
    if (part?.[1] !== undefined) return file(part[1], Number(part[2]))
    const to = addressIn(url)
    if (rest === '.json') {
      const body = JSON.stringify({ mails: (await listMails(db, to)).map(mailJson) })
      return answers.text(request, 200, { body, headers: JSON_TYPE })
    }
    if (rest !== '' && rest !== '/') return null
    const body = renderMailbox(await listMails(db, to), to)
    return answers.text(request, 200, { body, headers: HTML })
  }
}
