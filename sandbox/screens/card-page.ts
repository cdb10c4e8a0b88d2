import { html } from 'hono/html'
import * as z from 'zod/mini'
import { dateFormat } from '#contract/base/intl.ts'
import {
  type Html,
  htmlResponse,
  jsonResponse,
  moneyText,
  type SandboxResponse,
} from '#sandbox/http-messages.ts'
import type { Sandbox } from '#sandbox/sandbox.ts'
import type { SessionRecord } from '#sandbox/store.ts'
import {
  type Attempt,
  answerChallenge,
  attemptCard,
  TEST_CARDS,
} from '#sandbox/stripe/stripe-charges.ts'
import { sessionOfSecret } from '#sandbox/stripe/stripe-sessions.ts'

const MONTHS_PER_YEAR = 12

function field(id: string, label: string, attributes: Html): Html {
  return html`<div class="field"><label for="${id}">${label}</label>
<p class="error" id="${id}-error" hidden></p>
<input id="${id}" name="${id}" required aria-describedby="${id}-error" ${attributes}></div>`
}

function cardForm(session: SessionRecord): Html {
  const amount = moneyText(session.amount, session.currency)
  const cards = TEST_CARDS.map(
    ({ number, does }) =>
      html`<li><button type="button" data-card="${number}">${number}</button> <span>${does}</span></li>`,
  )
  const isUk = session.currency === 'gbp'
  return html`<form id="card" novalidate>
<p class="refusal" id="refusal" role="alert" hidden></p>
${field('number', 'Card number', html`inputmode="numeric" autocomplete="cc-number" placeholder="1234 1234 1234 1234" maxlength="23"`)}
<div class="pair">
${field('expiry', 'Expiry date', html`inputmode="numeric" autocomplete="cc-exp" placeholder="MM / YY" maxlength="7"`)}
${field('cvc', 'Security code', html`inputmode="numeric" autocomplete="cc-csc" placeholder="CVC" maxlength="4"`)}
</div>
${field('name', 'Name on card', html`autocomplete="cc-name"`)}
<div class="field"><label for="country">Country</label>
<select id="country" name="country" autocomplete="billing country"><option value="GB"${isUk ? ' selected' : ''}>United Kingdom</option><option value="US"${isUk ? '' : ' selected'}>United States</option></select></div>
${field('postcode', 'Postcode or ZIP code', html`autocomplete="billing postal-code" maxlength="10"`)}
<button type="submit" id="pay" class="primary">Pay ${amount}</button>
</form>
<details><summary>Cards to try</summary>
<p>Press a number to fill in the form. Any future date, security code and postcode will do.</p>
<ul class="cards">${cards}</ul></details>`
}

const CHALLENGE = html`<section id="challenge" class="state" hidden aria-labelledby="challenge-title">
<h2 id="challenge-title" tabindex="-1">Your bank asks: is it you?</h2>
<p>Here a real bank would confirm who’s paying (3D Secure). Choose what should happen.</p>
<div class="actions">
<button type="button" class="primary" data-answer="approve">Complete</button>
<button type="button" class="secondary" data-answer="fail">Fail</button>
<button type="button" data-answer="close">Close</button>
</div></section>`

/** The page inside the frame of an embedded checkout, for the session's current state. */
export function renderCardPage({ ctx }: Sandbox, secret: string): Promise<SandboxResponse> {
  const session = sessionOfSecret(ctx, secret)
  if (session === null) {
    const content = html`<h1>No such payment</h1><p>The address of this page is not complete.</p>`
    return htmlResponse(404, { title: 'No such payment', kind: 'card', content })
  }
  const { status, product, email } = session
  const amount = moneyText(session.amount, session.currency)
  const content = html`<header class="amount"><p>${product}</p><h1>${amount}</h1>
${email !== null && html`<p class="muted">The receipt goes to ${email}</p>`}</header>
<div id="paying" data-secret="${secret}"${status === 'open' ? '' : ' hidden'}>${cardForm(session)}</div>
${CHALLENGE}
<section id="over" class="state"${status === 'expired' ? '' : ' hidden'}>
<h2 tabindex="-1">This payment has ended</h2>
<p>You can’t pay here any more. Nothing was charged.</p></section>
<section id="paid" class="state"${status === 'complete' ? '' : ' hidden'}>
<h2 tabindex="-1">Paid</h2>
<p>One moment, we’re taking you back.</p></section>`
  return htmlResponse(200, { title: `Pay ${amount}`, kind: 'card', script: 'card-page', content })
}

const Secret = z.string().check(z.maxLength(300))
const Pay = z.strictObject({
  client_secret: Secret,
  number: z.string().check(z.maxLength(30), z.regex(/\d/)),
  expiry: z.string().check(z.regex(/^\s*(0?[1-9]|1[0-2])\s*\/?\s*(\d{2}|20\d{2})\s*$/)),
  cvc: z.string().check(z.regex(/^\s*\d{3,4}\s*$/)),
  name: z.string().check(z.trim(), z.minLength(1), z.maxLength(100)),
  country: z.enum(['GB', 'US']),
  postcode: z.string().check(z.trim(), z.minLength(1), z.maxLength(10)),
})
const Challenge = z.strictObject({ client_secret: Secret, approve: z.boolean() })

const PROBLEMS: Readonly<Record<string, string>> = {
  number: 'Enter the number on the card.',
  expiry: 'Enter the month and the year, such as 04 / 30.',
  cvc: 'Enter the 3 or 4 digits of the security code.',
  name: 'Enter the name on the card.',
  country: 'Choose a country.',
  postcode: 'Enter the postcode or ZIP code of the card’s address.',
}

function fieldErrors(error: z.core.$ZodError): SandboxResponse {
  const named = error.issues.map(({ path }) => String(path[0] ?? ''))
  const fields = Object.fromEntries(
    named.map((name) => [name, PROBLEMS[name] ?? 'Enter this again.']),
  )
  return jsonResponse(200, { result: 'invalid', fields })
}

/** Months since the year 0, for comparing dates. */
function monthsOf(expiry: string): { month: number; year: number; count: number } {
  const [, month = '0', year = '0'] = /(\d{1,2})\s*\/?\s*(\d{2,4})/.exec(expiry) ?? []
  const full = Number(year) < 100 ? 2_000 + Number(year) : Number(year)
  return { month: Number(month), year: full, count: full * MONTHS_PER_YEAR + Number(month) }
}

/** Where the buyer goes after paying; null when they stay on the page. */
function returnUrlOf(session: SessionRecord | null): string | null {
  if (session === null || session.redirect === 'never') return null
  return session.returnUrl?.replace('{CHECKOUT_SESSION_ID}', session.id) ?? null
}

function attemptResponse(attempt: Attempt, session: SessionRecord): SandboxResponse {
  if (attempt.result === 'paid') {
    return jsonResponse(200, { ...attempt, returnUrl: returnUrlOf(session) })
  }
  // Status 200: browsers would log a failure in their console.
  return jsonResponse(200, attempt)
}

/** POST of the card form. */
export function payCard({ ctx }: Sandbox, body: string): SandboxResponse {
  const read = Pay.safeParse(JSON.parse(body))
  if (!read.success) return fieldErrors(read.error)
  const { client_secret: secret, expiry, number, cvc, name, country, postcode } = read.data
  const { month, year, count } = monthsOf(expiry)
  const today = monthsOf(
    dateFormat('en-GB', { month: '2-digit', year: 'numeric', timeZone: 'UTC' }).format(ctx.now()),
  )
  if (count < today.count) {
    return jsonResponse(200, {
      result: 'invalid',
      fields: { expiry: 'This date has passed. Enter the one on the card.' },
    })
  }
  return ctx.store.atomically(() => {
    const session = sessionOfSecret(ctx, secret)
    if (session === null) return jsonResponse(404, { result: 'over' })
    const form = { number, month, year, cvc: cvc.trim(), name, country, postcode }
    return attemptResponse(attemptCard(ctx, session, form), session)
  })
}

/** POST of the cardholder's answer to the bank's challenge. */
export function answerCardChallenge({ ctx }: Sandbox, body: string): SandboxResponse {
  const { client_secret: secret, approve } = Challenge.parse(JSON.parse(body))
  return ctx.store.atomically(() => {
    const session = sessionOfSecret(ctx, secret)
    if (session === null) return jsonResponse(404, { result: 'over' })
    return attemptResponse(answerChallenge(ctx, session, approve), session)
  })
}

/** The session's state, for a page that has been open for a while. */
export function cardState({ ctx }: Sandbox, secret: string): SandboxResponse {
  const session = ctx.store.atomically(() => sessionOfSecret(ctx, secret))
  const status = session?.status ?? 'expired'
  return jsonResponse(200, {
    status,
    returnUrl: status === 'complete' ? returnUrlOf(session) : null,
  })
}
