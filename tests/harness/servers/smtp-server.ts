import { buffer } from 'node:stream/consumers'
import PostalMime, { type Email } from 'postal-mime'
import {
  SMTPServer,
  type SMTPServerDataStream,
  type SMTPServerOptions,
  type SMTPServerSession,
} from 'smtp-server'

type Received = { from: string; to: string[]; email: Email }

async function keep(
  received: Received[],
  stream: SMTPServerDataStream,
  session: SMTPServerSession,
): Promise<void> {
  const raw = await buffer(stream)
  const { mailFrom, rcptTo } = session.envelope
  received.push({
    from: mailFrom === false ? '' : mailFrom.address,
    to: rcptTo.map((recipient) => recipient.address),
    email: await PostalMime.parse(raw),
  })
}

/** A real SMTP server on a free port that keeps what it gets. */
export async function startSmtpServer(options: SMTPServerOptions = {}) {
  const received: Received[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onData(stream, session, done) {
      void keep(received, stream, session)
        // The sender may be killed in the middle of an email, which then was never sent.
        .catch(() => undefined)
        .finally(() => done())
    },
    ...options,
  })
  // The sender may be killed in the middle of a connection.
  server.on('error', () => undefined)
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    received,
    url: `smtp://127.0.0.1:${address.port}`,
    port: address.port,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}
