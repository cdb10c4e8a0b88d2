import { html } from 'hono/html'
import * as z from 'zod/mini'
import { Failure } from '#sandbox/failure.ts'
import {
  type Html,
  htmlResponse,
  jsonResponse,
  moneyText,
  type SandboxResponse,
} from '#sandbox/http-messages.ts'
import { minorOf } from '#sandbox/paypal/paypal-objects.ts'
import { approveOrder, readOrder } from '#sandbox/paypal/paypal-orders.ts'
import type { Sandbox } from '#sandbox/sandbox.ts'
import type { OrderRecord, WalletOutcome } from '#sandbox/store.ts'

const OUTCOMES: [WalletOutcome, string][] = [
  ['pay', 'The money arrives at once'],
  ['decline', 'It is declined when it is collected'],
  ['pending_complete', 'It is pending for ten seconds, then arrives'],
  ['pending_deny', 'It is pending for ten seconds, then is refused'],
]

function orderOf({ ctx }: Sandbox, token: string): OrderRecord | null {
  try {
    return readOrder(ctx, token)
  } catch (error) {
    if (error instanceof Failure) return null
    throw error
  }
}

function choices(): Html {
  const radios = OUTCOMES.map(
    ([value, label], index) =>
      html`<label class="choice"><input type="radio" name="outcome" value="${value}"${index === 0 ? ' checked' : ''}> ${label}</label>`,
  )
  return html`<fieldset><legend>What should happen?</legend>\n${radios}\n</fieldset>`
}

/** The popup opens before the shop has created its order: browsers block later ones. */
function waiting(): Promise<SandboxResponse> {
  const content = html`<h1>One moment</h1><p>Your payment is being prepared.</p>`
  return htmlResponse(200, { title: 'One moment', kind: 'wallet', script: 'wallet-page', content })
}

/** The wallet page, in its own window. */
export function renderWalletPage(sandbox: Sandbox, token: string | null): Promise<SandboxResponse> {
  if (token === null) return waiting()
  const order = orderOf(sandbox, token)
  if (order === null || order.status === 'COMPLETED') {
    const content = html`<h1>Nothing to pay here</h1><p>This payment is over, or never was.</p>
<div class="actions"><button type="button" class="secondary" data-choice="cancel">Go back</button></div>`
    return htmlResponse(order === null ? 404 : 200, {
      title: 'Nothing to pay',
      kind: 'wallet',
      script: 'wallet-page',
      content,
    })
  }
  const amount = moneyText(minorOf(order.value), order.currency)
  const content = html`<header class="amount"><p>${order.description ?? 'Payment'}</p><h1>${amount}</h1>
<p class="muted">Signed in as Sam Buyer, buyer@wallet.example</p></header>
<form id="wallet" data-token="${order.id}">
${choices()}
<p class="refusal" id="refusal" role="alert" hidden></p>
<div class="actions"><button type="submit" class="primary">Pay now</button>
<button type="button" class="secondary" data-choice="cancel">Cancel</button></div>
</form>`
  return htmlResponse(200, {
    title: `Pay ${amount}`,
    kind: 'wallet',
    script: 'wallet-page',
    content,
  })
}

const Decision = z.strictObject({
  token: z.string(),
  outcome: z.enum(['pay', 'decline', 'pending_complete', 'pending_deny']),
})

/** POST of the wallet page: the buyer approves. Cancelling tells PayPal nothing. */
export function approveWallet({ ctx }: Sandbox, body: string): SandboxResponse {
  const { token, outcome } = Decision.parse(JSON.parse(body))
  const order = ctx.store.atomically(() => approveOrder(ctx, token, outcome))
  return jsonResponse(200, { orderId: order.id, payerId: order.payer?.id ?? null })
}
