import { setTimeout as sleep } from 'node:timers/promises'
import { UpstreamError } from '#server/kernel/errors.ts'
import { isLoopbackHost } from '#server/kernel/limits/network.ts'

/** An email attachment. `type` is its content type; an invitation's type includes its `method`. */
export type MailFile = { name: string; type: string; text: string }

const INVITATION = /^text\/calendar;.*\bmethod=(\w+)$/

/**
 * The files as nodemailer options. An invitation is both the last alternative part and an attachment:
 * calendar programs look for the former, people for the latter.
 */
function filesOf({ files = [] }: Mail) {
  const invitation = files.find(({ type }) => INVITATION.test(type))
  const attachments = files
    .filter((file) => file !== invitation)
    .map(({ name, type, text }) => ({ filename: name, contentType: type, content: text }))
  if (invitation === undefined) return { attachments }
  const { name: filename, text: content, type } = invitation
  const method = INVITATION.exec(type)?.[1] ?? 'PUBLISH'
  return { attachments, icalEvent: { method, filename, content } }
}

/** An email ready to send. */
export type Mail = {
  /** Stable across retries, without angle brackets: `out_…@host`. */
  messageId: string
  to: string
  replyTo: string | null
  subject: string
  text: string
  html: string
  files?: MailFile[]
  /** URL that unsubscribes from this kind of email, by POST or when opened (RFC 8058). */
  unsubscribe?: string
}

/** Handed to a mail server, or kept for the demo mailbox. */
type Outcome = 'sent' | 'kept'

export type MailGateway = {
  /** Throws `UpstreamError` when the mail server cannot be reached or rejects the email. */
  send(mail: Mail): Promise<Outcome>
}

/** Shorter than the delivery lease, so that no second worker sends the same email. */
const SEND_TIMEOUT_MS = 30_000
const STEP_TIMEOUT_MS = 10_000

/** Keeps emails instead of sending them; they are shown at /demo/mailbox. */
export function makeDemoMail(): MailGateway {
  return { send: () => Promise.resolve('kept') }
}

async function tooLong(): Promise<never> {
  await sleep(SEND_TIMEOUT_MS, undefined, { ref: false })
  throw new Error('The mail server takes too long.')
}

/** Prevents header injection: throws if a header value contains a line break. */
function assertOneLine(mail: Mail): void {
  const { to, replyTo, subject, messageId, unsubscribe } = mail
  for (const value of [to, replyTo ?? '', subject, messageId, unsubscribe ?? '']) {
    if (/[\r\n]/.test(value)) throw new Error('An email header contains a line break.')
  }
}

function unsubscribeHeaders({ unsubscribe }: Mail): Record<string, string> {
  if (unsubscribe === undefined) return {}
  return {
    'List-Unsubscribe': `<${unsubscribe}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  }
}

/** TLS is required unless the server is on this machine. */
function smtpOptions(smtpUrl: string) {
  const url = new URL(smtpUrl)
  const isLocal = isLoopbackHost(url.hostname)
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port) || (url.protocol === 'smtps:' ? 465 : 587),
    secure: url.protocol === 'smtps:',
    requireTLS: !isLocal,
    ignoreTLS: isLocal && url.protocol === 'smtp:',
    connectionTimeout: STEP_TIMEOUT_MS,
    greetingTimeout: STEP_TIMEOUT_MS,
    socketTimeout: STEP_TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
    ...(url.username === ''
      ? {}
      : {
          auth: {
            user: decodeURIComponent(url.username),
            pass: decodeURIComponent(url.password),
          },
        }),
  }
}

/** Connects and signs in without sending anything. Throws `UpstreamError` when it cannot. */
export async function verifySmtp(smtpUrl: string): Promise<void> {
  const { createTransport } = await import('nodemailer')
  const transport = createTransport(smtpOptions(smtpUrl))
  try {
    await transport.verify()
  } catch (error) {
    throw new UpstreamError('The mail server', error)
  } finally {
    transport.close()
  }
}

/** Sends over SMTP. */
export function makeSmtpMail(smtpUrl: string, from: string): MailGateway {
  const options = smtpOptions(smtpUrl)
  return {
    async send(mail) {
      assertOneLine(mail)
      // Loaded with the first email, to keep startup fast.
      const { createTransport } = await import('nodemailer')
      const transport = createTransport(options)
      try {
        const sending = transport.sendMail({
          from,
          to: { name: '', address: mail.to },
          ...(mail.replyTo === null ? {} : { replyTo: { name: '', address: mail.replyTo } }),
          messageId: `<${mail.messageId}>`,
          subject: mail.subject,
          text: mail.text,
          html: mail.html,
          ...filesOf(mail),
          headers: { 'Auto-Submitted': 'auto-generated', ...unsubscribeHeaders(mail) },
        })
        await Promise.race([sending, tooLong()])
        return 'sent'
      } catch (error) {
        throw new UpstreamError('The mail server', error)
      } finally {
        transport.close()
      }
    },
  }
}
