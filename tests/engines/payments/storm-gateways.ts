import { type CallFault, type CallRule, WebhookFault } from '#sandbox/faults.ts'
import type { Protocol } from '#sandbox/store.ts'
import type { Services } from '#server/context.ts'
import type { TestSandbox } from '#tests/harness/servers/sandbox.ts'
import type { Dice } from './crashes.ts'
import { count, type Tally } from './storm-people.ts'

export type GatewayActionsOptions = {
  /** For the clock, and for the sessions shown to buyers. */
  services: Pick<Services, 'database' | 'now'>
  sandbox: TestSandbox
  dice: Dice
  tally: Tally
}

const MINUTE = 60_000
const MAX_RECENT = 16

const WEIGHTED_CARDS = [
  [6, '4242 4242 4242 4242'],
  [1, '4000 0000 0000 0002'],
  [1, '4000 0000 0000 9995'],
  [1, '4000 0025 0000 3155'],
  [1, '4000 0084 0000 1629'],
  /** A card whose payment is disputed at once. */
  [0.3, '4000 0000 0000 0259'],
  /** A card whose refunds fail later. */
  [0.5, '4000 0000 0000 5126'],
] as const

const WEIGHTED_OUTCOMES = [
  [6, 'pay'],
  [1, 'decline'],
  [1, 'pending_complete'],
  [1, 'pending_deny'],
] as const

/** Faults that end by themselves: no call hangs until the storm ends. */
const TEMPORARY_FAULTS: readonly CallFault[] = [
  'drop_before',
  'drop_after',
  'late',
  'error_500',
  'error_500_kept',
  'error_500_kept_done',
  'conflict_409',
  'too_many_429',
]
const FAULT_PATHS = [
  '/v1/checkout',
  '*/expire',
  '/v1/refunds',
  '/v1/charges',
  '/v2/checkout',
  '*/capture',
  '*/refund',
  '/v2/payments',
]
const ORDERS = '/v2/checkout/orders/'
/** Calls that a gateway may reject permanently, which the server must handle. */
const REJECTABLE_PATHS = [
  '/v1/checkout/sessions',
  '*/expire',
  '/v1/refunds',
  '*/capture',
  '*/refund',
]

/** Minutes of a gateway's outage, unless given otherwise. */
const OUTAGE_MINUTES = [2, 10, 20, 60, 5 * 60]

/** Actions at the gateways and not on our site: buyers, banks, faults, their staff. */
export class GatewayActions {
  readonly #outside: GatewayActionsOptions
  readonly #backAt = new Map<Protocol, number>()

  constructor(outside: GatewayActionsOptions) {
    this.#outside = outside
  }

  /** A session or order whose page a buyer has seen, which our site knows. */
  async #shown(gateway: Protocol): Promise<string | null> {
    const { services, dice } = this.#outside
    const shown = await services.database.db
      .selectFrom('payments')
      .select('gw_session')
      .where('gateway', '=', gateway)
      .where('gw_session', 'is not', null)
      .orderBy('no', 'desc')
      .limit(MAX_RECENT)
      .execute()
    return shown.length === 0 ? null : dice.pick(shown).gw_session
  }

  /** Also long after the hold has expired: a buyer may still press Pay on an open page. */
  async payByCard(): Promise<void> {
    const { sandbox, dice, tally } = this.#outside
    const session = await this.#shown('stripe')
    if (session === null) return
    sandbox.payByCard(session, dice.weigh(WEIGHTED_CARDS))
    count(tally, 'cards tried')
    if (dice.next() < 0.5) sandbox.answerBank(session, dice.next() < 0.8)
  }

  async approve(): Promise<void> {
    const { sandbox, dice, tally } = this.#outside
    const order = await this.#shown('paypal')
    if (order === null) return
    sandbox.approve(order, dice.weigh(WEIGHTED_OUTCOMES))
    count(tally, 'wallets approved')
  }

  #anyRule(): CallRule {
    const { dice } = this.#outside
    const times = 1 + dice.below(3)
    return dice.weigh<CallRule>([
      [8, { path: dice.pick(FAULT_PATHS), fault: dice.pick(TEMPORARY_FAULTS), times }],
      [1, { path: ORDERS, method: 'GET', fault: 'not_found_404', times }],
      [1, { path: ORDERS, fault: 'without_payments', times }],
      [1, { path: dice.pick(REJECTABLE_PATHS), method: 'POST', fault: 'refused', times: 1 }],
    ])
  }

  async fault(): Promise<void> {
    const { dice, sandbox, tally } = this.#outside
    if (dice.next() < 0.7) {
      await sandbox.fail(...sandbox.sandbox.faults.calls, this.#anyRule())
    } else {
      await sandbox.tell({ do: 'fail_webhooks', fault: dice.pick(WebhookFault.options) })
    }
    count(tally, 'faults')
  }

  async executeLate(): Promise<void> {
    await this.#outside.sandbox.executeLate()
  }

  /** `minutes`: possible lengths of the outage. */
  async goAway(minutes: readonly number[] = OUTAGE_MINUTES): Promise<void> {
    const { dice, sandbox, services, tally } = this.#outside
    const gateway = dice.pick(['stripe', 'paypal'] as const)
    await sandbox.away(gateway)
    this.#backAt.set(gateway, services.now() + dice.pick(minutes) * MINUTE)
    count(tally, 'gateways away')
  }

  /** Ends outages that have lasted long enough, or all of them. */
  async comeBack(isAll = false): Promise<void> {
    const { sandbox, services } = this.#outside
    for (const [gateway, at] of this.#backAt) {
      if (!isAll && services.now() < at) continue
      this.#backAt.delete(gateway)
      await sandbox.away(gateway, false)
    }
  }

  /**
   * PayPal loses an order, whatever happened to its money. Orders with refunds are kept, because nothing else
   * reports refunds by hand.
   */
  async forget(): Promise<void> {
    const { sandbox, tally } = this.#outside
    const order = await this.#shown('paypal')
    if (order === null || this.#hasRefunds(order)) return
    await sandbox.forget(order)
    count(tally, 'orders forgotten')
  }

  #hasRefunds(order: string): boolean {
    const { store } = this.#outside.sandbox.sandbox.ctx
    const capture = store.list('capture').find((one) => one.order === order)
    return capture !== undefined && capture.refundedMinor > 0
  }

  /** A charge or capture that took money lately. */
  #taken(): string | null {
    const { dice, sandbox } = this.#outside
    const { store } = sandbox.sandbox.ctx
    const taken = [
      ...store
        .list('charge', MAX_RECENT)
        .flatMap((one) => (one.failure === null ? [one.intent] : [])),
      ...store
        .list('capture', MAX_RECENT)
        .flatMap(({ id, order }) => (store.find('order', order)?.isForgotten === true ? [] : [id])),
    ]
    return taken.length === 0 ? null : dice.pick(taken)
  }

  /** A refund in the gateway's own dashboard: a part, or all that is left. */
  async refundByHand(): Promise<void> {
    const { dice, sandbox, tally } = this.#outside
    const payment = this.#taken()
    if (payment === null) return
    const part = dice.next() < 0.5 ? 100 + dice.below(3_000) : undefined
    await sandbox.refundByHand(payment, part)
    count(tally, 'refunds by hand')
  }

  async dispute(): Promise<void> {
    const { dice, sandbox, tally } = this.#outside
    const payment = this.#taken()
    if (payment === null) return
    const dispute = await sandbox.dispute(payment)
    count(tally, 'disputes')
    if (dice.next() < 0.5) await sandbox.closeDispute(dispute, dice.pick(['won', 'lost']))
  }

  async webhooks(): Promise<void> {
    const { dice, sandbox } = this.#outside
    if (dice.next() < 0.3) {
      await sandbox.tell({ do: 'release_webhooks', order: dice.pick(['fifo', 'lifo']) })
    }
    const event = sandbox.sandbox.ctx.store.list('event', 20)[dice.below(20)]
    if (event !== undefined && dice.next() < 0.3) {
      await sandbox.tell({ do: 'resend', event: event.id })
    }
    await sandbox.deliverDue()
  }

  /** Ends all faults and executes delayed calls. */
  async calm(): Promise<void> {
    const { sandbox } = this.#outside
    await sandbox.fail()
    await this.comeBack(true)
    await sandbox.executeLate()
    await sandbox.tell({ do: 'fail_webhooks', fault: 'none' })
    await sandbox.tell({ do: 'release_webhooks', order: 'lifo' })
  }
}
