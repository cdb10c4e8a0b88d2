import { html } from 'hono/html'
import { parseJson } from '#db/columns.ts'
import type { MailFileColumn } from '#db/tables/messages.ts'
import { isoText } from '#server/kernel/clock.ts'
import type { findMail, listMails } from './store.ts'

type MailRow = NonNullable<Awaited<ReturnType<typeof findMail>>>
type Html = ReturnType<typeof html>
type MailRows = Awaited<ReturnType<typeof listMails>>

/** The attachments of an email. */
export function filesOf(mail: Pick<MailRow, 'files'>): MailFileColumn[] {
  return parseJson<MailFileColumn[]>(mail.files)
}

function fileList(mail: MailRow): Html | null {
  const files = filesOf(mail)
  if (files.length === 0) return null
  const items = files.map(
    ({ name }, at) =>
      html`<li><a href="/demo/mailbox/${mail.id}/files/${at}" download>${name}</a></li>`,
  )
  return html`<h2>Files</h2>\n<ul>${items}</ul>\n`
}

function page(title: string, content: Html): Html {
  return html`<!doctype html>
<html lang="en-GB">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title} - Demo mailbox</title>
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
function timeElement(instant: number): Html {
  const iso = isoText(instant)
  return html`<time datetime="${iso}">${iso.slice(0, 16).replace('T', ' ')} UTC</time>`
}

function mailLink(mail: MailRow): Html {
  return html`<li><a href="/demo/mailbox/${mail.id}"><strong>${mail.subject}</strong></a>
<p>To ${mail.to_address}, ${timeElement(mail.created_at)}</p></li>`
}

/** The list of emails, newest first, with a form that filters by address. */
export function renderMailbox(mails: MailRows, to: string | null): Html {
  const list =
    mails.length === 0
      ? html`<p class="empty">${to === null ? 'No emails yet.' : 'No emails for this address yet.'} Emails this demo would have sent appear here.</p>`
      : html`<ol class="mails" reversed>${mails.map(mailLink)}</ol>`
  const mailboxLink = to !== null && html`<a href="/demo/mailbox">Show every address</a>`
  return page(
    'Emails',
    html`<h1>${to === null ? 'All emails' : `Emails to ${to}`}</h1>
<form action="/demo/mailbox" method="get" role="search">
<label for="to">Only emails to</label>
<input id="to" name="to" type="email" value="${to}" autocomplete="off">
<button type="submit">Show</button> ${mailboxLink}
</form>
${list}`,
  )
}

/** Text whose web addresses are links. */
function linked(text: string): Html {
  const parts = text.split(/(https?:\/\/[^\s<>"']+)/)
  return html`${parts.map((part, at) => (at % 2 === 0 ? part : html`<a href="${part}">${part}</a>`))}`
}

/** One email: its recipient and time, how an email client shows it, and its plain text. */
export function renderMail(mail: MailRow): Html {
  const replyTo = mail.reply_to !== null && html`<dt>Reply to</dt><dd>${mail.reply_to}</dd>`
  return page(
    mail.subject,
    html`<p><a href="/demo/mailbox?to=${encodeURIComponent(mail.to_address)}">Back to the list</a></p>
<h1>${mail.subject}</h1>
<dl><dt>To</dt><dd>${mail.to_address}</dd>${replyTo}<dt>When</dt><dd>${timeElement(mail.created_at)}</dd></dl>
<iframe title="Email preview" src="/demo/mailbox/${mail.id}/html" sandbox="allow-popups allow-top-navigation-by-user-activation"></iframe>
${fileList(mail)}<h2>Plain text</h2>
<pre>${linked(mail.text_body)}</pre>`,
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
