import type { VisitLink } from '#contract/visits.ts'
import { createCaller } from '#server/app-router.ts'
import { makeContext } from '#server/context.ts'
import { NO_CLIENT } from '#server/kernel/limits/client.ts'
import type { makePaidVisit } from './paid-visit.ts'

type PaidVisit = Pick<Awaited<ReturnType<typeof makePaidVisit>>, 'testApp'>

/** The link in the newest email to the patient. */
export function linkIn({ testApp }: PaidVisit): VisitLink {
  const text = testApp.mails.filter(({ to }) => to.startsWith('usr_')).at(-1)?.text ?? ''
  const [, id = '', mac = ''] = /\/visit\/(apt_\w+)\/([\w-]{43})\b/.exec(text) ?? []
  return { id, mac }
}

/** A caller who opened the link, without a session, from a network of their own. */
export function makeVisitorCaller(
  { testApp }: PaidVisit,
  { network = '192.0.2.9', key = null as string | null } = {},
) {
  const client = { ...NO_CLIENT, idempotencyKey: key }
  const ctx = makeContext(testApp.services, {
    viewer: { kind: 'visitor' },
    requestId: 'TEST',
    network,
    client,
  })
  return createCaller(ctx).visits
}
