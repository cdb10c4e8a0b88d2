import * as z from 'zod/mini'
import { randomText } from '#server/kernel/ids.ts'
import { CallRule, WebhookFault } from './faults.ts'
import { decideCapture } from './paypal-orders.ts'
import type { Sandbox } from './sandbox.ts'
import { expireSession } from './stripe-sessions.ts'

/** What an operator or a test may tell the sandbox. */
export const Command = z.discriminatedUnion('do', [
  z.strictObject({ do: z.literal('fail_calls'), rules: z.array(CallRule) }),
  z.strictObject({ do: z.literal('fail_webhooks'), fault: WebhookFault }),
  z.strictObject({ do: z.literal('release_webhooks'), order: z.enum(['fifo', 'lifo']) }),
  z.strictObject({ do: z.literal('resend'), event: z.string() }),
  z.strictObject({ do: z.literal('expire'), session: z.string() }),
  z.strictObject({
    do: z.literal('decide'),
    capture: z.string(),
    decision: z.enum(['COMPLETED', 'DECLINED']),
  }),
  /** Milliseconds ahead of the real clock; 0 puts it right again. */
  z.strictObject({ do: z.literal('shift_clock'), ms: z.int() }),
])
export type Command = z.infer<typeof Command>

function resend({ desk }: Sandbox, id: string): void {
  const event = desk.store.find('event', id)
  if (event === undefined) return
  const again = `${id}-again-${randomText(8)}`
  desk.store.put('delivery', {
    id: again,
    event: id,
    endpoint: 'app',
    tries: 0,
    nextAt: desk.now(),
    status: null,
  })
}

/** Carries a command out. Refusals of the protocols (such as expiring what is over) are thrown. */
export async function obey(sandbox: Sandbox, command: Command): Promise<void> {
  const { desk, faults, deliveries } = sandbox
  switch (command.do) {
    case 'fail_calls':
      faults.calls = command.rules.map((rule) => ({ ...rule }))
      return
    case 'fail_webhooks':
      faults.webhooks = command.fault
      break
    case 'release_webhooks':
      await deliveries.release(command.order)
      return
    case 'resend':
      resend(sandbox, command.event)
      break
    case 'expire':
      desk.store.atomically(() => expireSession(desk, command.session))
      break
    case 'decide': {
      const capture = desk.store.find('capture', command.capture)
      if (capture !== undefined) {
        desk.store.atomically(() => decideCapture(desk, capture, command.decision))
      }
      break
    }
    case 'shift_clock':
      sandbox.shiftClock(command.ms)
      sandbox.tick()
      break
  }
  void deliveries.run()
}
