import { parseJson } from '#db/columns.ts'
import type { MailFileColumn } from '#db/tables/messages.ts'
import { isoText } from '#server/kernel/clock.ts'
import type { findMail, listMails } from './store.ts'
import { escapeHtml } from './templates.ts'

type MailRow = NonNullable<Awaited<ReturnType<typeof findMail>>>
type MailRows = Awaited<ReturnType<typeof listMails>>

/** The attachments of an email. */
export function filesOf(mail: Pick<MailRow, 'files'>): MailFileColumn[] {
  return parseJson<MailFileColumn[]>(mail.files)
}

function fileList(mail: MailRow): string {
  const files = filesOf(mail)
  if (files.length === 0) return ''
  const items = files.map(
    ({ name }, at) =>
      `<li><a href="/demo/mailbox/${mail.id}/files/${at}" download>${escapeHtml(name)}</a></li>`,
  )
  return `<h2>Files</h2>\n<ul>${items.join('')}</ul>\n`
}

function page(title: string, content: string): string {
  return `<!doctype html>
<html lang="en-GB">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)} - Demo mailbox</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/mailbox.css">
</head>
<body>
<header><p><a href="/home"><img src="/favicon.svg" alt="" width="32" height="32">Apposite</a> <span>Demo mailbox</span></p></header>
<main>
${content}
</main>
</body>
</html>
`
}

/** `2026-03-02 09:00 UTC`: the mailbox has no location and therefore no time zone. */
function timeElement(instant: number): string {
  const iso = isoText(instant)
  return `<time datetime="${iso}">${iso.slice(0, 16).replace('T', ' ')} UTC</time>`
}

function mailLink(mail: MailRow): string {
  return `<li><a href="/demo/mailbox/${mail.id}"><strong>${escapeHtml(mail.subject)}</strong></a>
<p>To ${escapeHtml(mail.to_address)}, ${timeElement(mail.created_at)}</p></li>`
}

/** The list of emails, newest first, with a form that filters by address. */
export function renderMailbox(mails: MailRows, to: string | null): string {
  const list =
    mails.length === 0
      ? `<p class="empty">${to === null ? 'No emails yet.' : 'No emails for this address yet.'} Emails this demo would have sent appear here.</p>`
      : `<ol class="mails" reversed>${mails.map(mailLink).join('\n')}</ol>`
  const mailboxLink = to === null ? '' : '<a href="/demo/mailbox">Show every address</a>'
  return page(
    'Emails',
    `<h1>${to === null ? 'All emails' : `Emails to ${escapeHtml(to)}`}</h1>
<form action="/demo/mailbox" method="get" role="search">
<label for="to">Only emails to</label>
<input id="to" name="to" type="email" value="${escapeHtml(to ?? '')}" autocomplete="off">
<button type="submit">Show</button> ${mailboxLink}
</form>
${list}`,
  )
}

/** Turns web addresses into links, in text that is already escaped. */
function linked(escaped: string): string {
  return escaped.replaceAll(/https?:\/\/[^\s<>"']+/g, (url) => `<a href="${url}">${url}</a>`)
}

/** One email: its recipient and time, how an email client shows it, and its plain text. */
export function renderMail(mail: MailRow): string {
  const replyTo =
    mail.reply_to === null ? '' : `<dt>Reply to</dt><dd>${escapeHtml(mail.reply_to)}</dd>`
  return page(
    mail.subject,
    `<p><a href="/demo/mailbox?to=${encodeURIComponent(mail.to_address)}">Back to the list</a></p>
<h1>${escapeHtml(mail.subject)}</h1>
<dl><dt>To</dt><dd>${escapeHtml(mail.to_address)}</dd>${replyTo}<dt>When</dt><dd>${timeElement(mail.created_at)}</dd></dl>
<iframe title="Email preview" src="/demo/mailbox/${mail.id}/html" sandbox="allow-popups allow-top-navigation-by-user-activation"></iframe>
${fileList(mail)}<h2>Plain text</h2>
<pre>${linked(escapeHtml(mail.text_body))}</pre>`,
  )
}

/** The JSON form of an email, for test clients. */
export function mailJson(mail: MailRow) {
  return {
    id: mail.id,
    to: mail.to_address,
    replyTo: mail.reply_to,
    subject: mail.subject,
    text: mail.text_body,
    html: mail.html_body,
    files: filesOf(mail),
    at: isoText(mail.created_at),
  }
}
