import { html } from 'hono/html'
import { Command, runCommand } from '#sandbox/control.ts'
import { Failure } from '#sandbox/failure.ts'
import type { CallFault, WebhookFault } from '#sandbox/faults.ts'
import { type Html, htmlResponse, moneyText, type SandboxResponse } from '#sandbox/http-messages.ts'
import { minorOf } from '#sandbox/paypal/paypal-objects.ts'
import type { Sandbox } from '#sandbox/sandbox.ts'
import type { CaptureRecord, DeliveryRecord, Protocol, SessionRecord } from '#sandbox/store.ts'
import { isoText } from '#server/kernel/clock.ts'

const MAX_ROWS = 50

const WEBHOOK_LABELS: Readonly<Record<WebhookFault, string>> = {
  none: 'Arrive as they should',
  duplicate: 'Arrive twice',
  delay: 'Arrive five seconds late',
  hold: 'Are held back until released',
  never: 'Never arrive',
  bad_signature: 'Arrive with a wrong signature',
  old_timestamp: 'Arrive signed ten minutes ago',
}
const CALL_LABELS: Readonly<Record<CallFault, string>> = {
  drop_before: 'Connection breaks before anything happens',
  drop_after: 'Connection breaks, but it was done',
  late: 'Connection breaks, done when you say so',
  hang: 'Never answered',
  slow: 'Answered three seconds late',
  error_500: 'Answered 500, nothing done',
  error_500_kept: 'Answered 500 for good under its key, nothing done',
  error_500_kept_done: 'Answered 500 for good under its key, but it was done',
  conflict_409: 'Answered 409',
  too_many_429: 'Answered 429',
  not_found_404: 'Answered 404, though the object exists',
  refused: 'Refused for good',
  without_payments: 'Wallet order without its payments',
}

function timeOf(instant: number): Html {
  const iso = isoText(instant)
  return html`<time datetime="${iso}">${iso.slice(0, 19).replace('T', ' ')}</time>`
}

type Cell = string | Html | Html[]

function table(caption: string, heads: string[], rows: Cell[][]): Html {
  if (rows.length === 0) return html`<h2>${caption}</h2><p class="muted">None yet.</p>`
  const head = heads.map((one) => html`<th scope="col">${one}</th>`)
  const body = rows.map(
    (cells) =>
      html`<tr>${cells.map((cell, index) => html`<td data-head="${heads[index] ?? ''}">${cell}</td>`)}</tr>`,
  )
  return html`<h2>${caption}</h2><table><caption class="hidden">${caption}</caption><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table>`
}

/** A form with one button. */
function buttonForm(label: string, fields: Record<string, string>, of: string): Html {
  const hidden = Object.entries(fields).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )
  return html`<form method="post" action="/sandbox/operator">${hidden}<button class="secondary small">${label}<span class="hidden"> ${of}</span></button></form>`
}

function options(labels: Readonly<Record<string, string>>, chosen: string | null): Html[] {
  return Object.entries(labels).map(
    ([value, label]) =>
      html`<option value="${value}"${value === chosen ? ' selected' : ''}>${label}</option>`,
  )
}

function switches(sandbox: Sandbox): Html {
  const waiting = sandbox.faults.calls.map(
    ({ path, fault, times }) => html`<li>${path}: ${CALL_LABELS[fault]}, ${times} more</li>`,
  )
  const late = sandbox.faults.late.length
  return html`<div class="switches">
<form method="post" action="/sandbox/operator"><input type="hidden" name="do" value="fail_webhooks">
<div class="field"><label for="fault">Events</label><select id="fault" name="fault">${options(WEBHOOK_LABELS, sandbox.faults.webhooks)}</select></div>
<button class="primary">Set</button></form>
<form method="post" action="/sandbox/operator"><input type="hidden" name="do" value="release_webhooks">
<div class="field"><label for="order">Held events</label><select id="order" name="order"><option value="fifo">In their order</option><option value="lifo">The last one first</option></select></div>
<button class="primary">Release</button></form>
<form method="post" action="/sandbox/operator"><input type="hidden" name="do" value="fail_calls">
<div class="field"><label for="path">Calls whose address begins with</label><input id="path" name="path" value="/v1/checkout/sessions" required></div>
<div class="field"><label for="call">Failure</label><select id="call" name="call">${options(CALL_LABELS, null)}</select></div>
<div class="field"><label for="times">How often</label><input id="times" name="times" type="number" min="1" max="1000" value="1" required></div>
<button class="primary">Set</button></form>
${waiting.length === 0 ? '' : html`<ul>${waiting}</ul>`}
<form method="post" action="/sandbox/operator"><input type="hidden" name="do" value="shift_clock">
<div class="field"><label for="minutes">Clock ahead by minutes</label><input id="minutes" name="minutes" type="number" min="0" max="100000" value="${Math.round(sandbox.clockShift() / 60_000)}" required></div>
<button class="primary">Set</button></form>
${(['stripe', 'paypal'] as const).map((gateway) => reachable(sandbox, gateway))}
${late === 0 ? '' : buttonForm(`Execute late calls (${late})`, { do: 'execute_late' }, '')}
</div>`
}

function reachable({ faults }: Sandbox, gateway: Protocol): Html {
  const isAway = faults.away.has(gateway)
  const name = gateway === 'stripe' ? 'Card gateway' : 'Wallet gateway'
  return buttonForm(
    `${name}: ${isAway ? 'answer again' : 'stop answering'}`,
    { do: 'away', gateway, away: String(!isAway) },
    '',
  )
}

/** Buttons to refund or to dispute all that is left; `payment` is a payment intent or a capture. */
function moneyButtons(payment: string, reason: string): Html[] {
  return [
    buttonForm('Refund', { do: 'refund_by_hand', payment }, payment),
    buttonForm('Dispute', { do: 'dispute', payment, reason }, payment),
  ]
}

function sessionState({ ctx }: Sandbox, { status, intent }: SessionRecord): string {
  const { charge: id = null } =
    (intent === null ? undefined : ctx.store.find('intent', intent)) ?? {}
  const charge = id === null ? undefined : ctx.store.find('charge', id)
  if (charge === undefined || charge.refunded === 0) return status
  return `${status}, ${moneyText(charge.refunded, charge.currency)} refunded`
}

function sessionButtons({ id, status, intent }: SessionRecord): Cell {
  if (status === 'open') return buttonForm('Expire', { do: 'expire', session: id }, id)
  return status === 'complete' && intent !== null ? moneyButtons(intent, 'fraudulent') : ''
}

function sessions(sandbox: Sandbox): Html {
  const rows = sandbox.ctx.store
    .list('session', MAX_ROWS)
    .map((session) => [
      html`<code>${session.id.slice(0, 18)}…</code>`,
      moneyText(session.amount, session.currency),
      sessionState(sandbox, session),
      timeOf(session.created * 1_000),
      sessionButtons(session),
    ])
  return table('Card sessions', ['Session', 'Amount', 'State', 'Made', 'Act'], rows)
}

function captureButtons({ id, order, status }: CaptureRecord): Cell {
  if (status === 'PENDING') {
    const decide = (decision: string, label: string) =>
      buttonForm(label, { do: 'decide', capture: id, decision }, order)
    return [decide('COMPLETED', 'Complete'), decide('DECLINED', 'Deny')]
  }
  const hasMoney = status === 'COMPLETED' || status === 'PARTIALLY_REFUNDED'
  return hasMoney ? moneyButtons(id, 'UNAUTHORISED') : ''
}

function orders({ ctx }: Sandbox): Html {
  const rows = ctx.store.list('order', MAX_ROWS).map((order) => {
    const capture = order.capture === null ? undefined : ctx.store.find('capture', order.capture)
    const isForgotten = order.isForgotten === true
    const state =
      capture === undefined ? order.status : `${order.status}, capture ${capture.status}`
    return [
      html`<code>${order.id}</code>`,
      moneyText(minorOf(order.value), order.currency),
      isForgotten ? `${state}, forgotten` : state,
      timeOf(order.created),
      html`${capture && captureButtons(capture)}${!isForgotten && buttonForm('Forget', { do: 'forget', object: order.id }, order.id)}`,
    ]
  })
  return table('Wallet orders', ['Order', 'Amount', 'State', 'Made', 'Act'], rows)
}

function disputes({ ctx }: Sandbox): Html {
  const cards = ctx.store.list('dispute', MAX_ROWS).map((one) => ({
    ...one,
    isOpen: one.status === 'needs_response',
    created: one.created * 1_000,
  }))
  const wallets = ctx.store.list('walletDispute', MAX_ROWS).map((one) => ({
    ...one,
    amount: minorOf(one.value),
    isOpen: one.outcome === null,
    status: one.outcome ?? 'OPEN',
  }))
  const rows = [...cards, ...wallets].map(({ id, amount, currency, reason, status, ...rest }) => {
    const close = (outcome: string, label: string) =>
      buttonForm(label, { do: 'close_dispute', dispute: id, outcome }, id)
    return [
      html`<code>${id}</code>`,
      moneyText(amount, currency),
      `${reason}, ${status}`,
      timeOf(rest.created),
      rest.isOpen ? [close('won', 'Won'), close('lost', 'Lost')] : '',
    ]
  })
  return table('Disputes', ['Dispute', 'Amount', 'State', 'Made', 'Act'], rows)
}

function stateOf(delivery: DeliveryRecord | undefined): string {
  if (delivery === undefined) return 'not sent'
  if (delivery.status === null) return delivery.nextAt === null ? 'lost' : 'waiting'
  const answered = delivery.status === 0 ? 'no answer' : `answered ${delivery.status}`
  return delivery.nextAt === null
    ? answered
    : `${answered}, tried ${delivery.tries} times, will be again`
}

function events({ ctx }: Sandbox): Html {
  const rows = ctx.store
    .list('event', MAX_ROWS)
    .map((event) => [
      event.type,
      html`<code>${event.object.slice(0, 18)}${event.object.length > 18 ? '…' : ''}</code>`,
      timeOf(event.created),
      stateOf(ctx.store.find('delivery', `${event.id}-app`)),
      buttonForm('Resend', { do: 'resend', event: event.id }, event.id),
    ])
  return table('Events', ['Event', 'About', 'Made', 'Delivery', 'Act'], rows)
}

/** The operator's page: what both gateways have stored, and the fault switches. */
export function renderOperatorPage(sandbox: Sandbox): Promise<SandboxResponse> {
  const content = html`<p><a href="/home">Apposite</a></p><h1>Payment sandbox</h1>
<p class="muted">Stands in for the card and wallet gateways. Times are UTC.</p>
<h2>Switches</h2>${switches(sandbox)}
${sessions(sandbox)}
${orders(sandbox)}
${disputes(sandbox)}
${events(sandbox)}`
  return htmlResponse(200, { title: 'Payment sandbox', kind: 'operator', content })
}

type Fields = Record<string, string>

/** The command that a form of the page stands for. */
function commandOf(fields: Fields): unknown {
  const { path = '', call = '', times = '', minutes = '', ...rest } = fields
  if (rest['do'] === 'fail_calls') {
    return { do: 'fail_calls', rules: [{ path, fault: call, times: Number(times) }] }
  }
  if (rest['do'] === 'away') return { ...rest, away: rest['away'] === 'true' }
  if (rest['do'] === 'shift_clock') return { do: 'shift_clock', ms: Number(minutes) * 60_000 }
  return rest
}

/** POST of one of the page's forms; redirects to the page whatever the result. */
export async function runOperatorForm(sandbox: Sandbox, body: string): Promise<SandboxResponse> {
  const fields = Object.fromEntries(new URLSearchParams(body))
  const command = Command.safeParse(commandOf(fields))
  if (!command.success) {
    const content = html`<h1>That was not understood</h1><p><a href="/sandbox">Back to the sandbox</a></p>`
    return htmlResponse(400, { title: 'Not understood', kind: 'operator', content })
  }
  try {
    await runCommand(sandbox, command.data)
  } catch (error) {
    // It had ended already: the page shows its state.
    if (!(error instanceof Failure)) throw error
  }
  return { status: 303, headers: { location: '/sandbox', 'cache-control': 'no-store' }, body: '' }
}
