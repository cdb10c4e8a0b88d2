/** The card page: submits the form, shows the result, and notifies the parent page. */
type Answer = {
  result: 'paid' | 'declined' | 'challenge' | 'over' | 'invalid'
  message?: string
  returnUrl?: string | null
  fields?: Record<string, string>
}

const POLL_MS = 5_000
const UNREADABLE: Answer = {
  result: 'declined',
  message: 'The payment could not be sent. Check the connection and try again.',
}

function isAnswer(data: unknown): data is Answer {
  return typeof data === 'object' && data !== null && 'result' in data
}

function byId(id: string): HTMLElement {
  const found = document.getElementById(id)
  if (found === null) throw new Error(`The page has no ${id}.`)
  return found
}

const paying = document.getElementById('paying')
const secret = paying?.dataset['secret'] ?? ''

function postToParent(message: Record<string, unknown>): void {
  if (parent !== window) parent.postMessage({ from: 'sandbox-card', ...message }, location.origin)
}

new ResizeObserver(() => {
  postToParent({ kind: 'size', height: document.documentElement.offsetHeight })
}).observe(document.documentElement)

/** Shows one part of the page and moves focus to it. */
function show(name: 'paying' | 'challenge' | 'over' | 'paid'): void {
  for (const part of ['paying', 'challenge', 'over', 'paid']) byId(part).hidden = part !== name
  byId(name).querySelector<HTMLElement>('h2')?.focus()
}

function showRefusal(text: string | null): void {
  const place = byId('refusal')
  place.hidden = text === null
  place.textContent = text ?? ''
}

function showFields(fields: Record<string, string>): void {
  let first: HTMLElement | null = null
  for (const input of document.querySelectorAll<HTMLInputElement>('#card input')) {
    const problem = fields[input.name]
    const place = byId(`${input.id}-error`)
    place.hidden = problem === undefined
    place.textContent = problem ?? ''
    if (problem === undefined) input.removeAttribute('aria-invalid')
    else input.setAttribute('aria-invalid', 'true')
    if (problem !== undefined) first ??= input
  }
  first?.focus()
}

async function send(path: string, body: Record<string, unknown>): Promise<Answer> {
  try {
    const response = await fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ client_secret: secret, ...body }),
    })
    const answer: unknown = await response.json()
    return isAnswer(answer) ? answer : UNREADABLE
  } catch {
    return UNREADABLE
  }
}

/** Shows the result of a payment attempt. */
export function showResult(answer: Answer): void {
  showFields(answer.fields ?? {})
  showRefusal(answer.result === 'declined' ? (answer.message ?? 'Your card was declined.') : null)
  if (answer.result === 'paid') {
    show('paid')
    postToParent({ kind: 'paid', returnUrl: answer.returnUrl ?? null })
    // Opened on its own, it has no parent page to redirect.
    if (parent === window && typeof answer.returnUrl === 'string') location.assign(answer.returnUrl)
  } else if (answer.result === 'challenge' || answer.result === 'over') {
    show(answer.result)
  } else {
    show('paying')
    if (answer.result === 'declined') document.getElementById('number')?.focus()
  }
}

let isBusy = false

/** One at a time: a second press during the first could pay twice. */
async function runExclusive(work: () => Promise<void>): Promise<void> {
  if (isBusy) return
  isBusy = true
  const buttons = [...document.querySelectorAll<HTMLButtonElement>('button')]
  for (const button of buttons) button.setAttribute('aria-disabled', 'true')
  try {
    await work()
  } finally {
    isBusy = false
    for (const button of buttons) button.removeAttribute('aria-disabled')
  }
}

const form = document.querySelector<HTMLFormElement>('#card')

form?.addEventListener('submit', (event) => {
  event.preventDefault()
  void runExclusive(async () => {
    showRefusal(null)
    showResult(await send('/sandbox/stripe/pay', Object.fromEntries(new FormData(form))))
  })
})

for (const button of document.querySelectorAll<HTMLButtonElement>('[data-answer]')) {
  button.addEventListener('click', () => {
    void runExclusive(async () => {
      const approve = button.dataset['answer'] === 'approve'
      showResult(await send('/sandbox/stripe/challenge', { approve }))
    })
  })
}

function fillForm(number: string): void {
  const values: Record<string, string> = {
    number,
    expiry: '12 / 34',
    cvc: '123',
    name: 'Sam Buyer',
    postcode: 'SE1 6ET',
  }
  for (const [id, value] of Object.entries(values)) {
    const input = byId(id)
    if (input instanceof HTMLInputElement) input.value = value
  }
  showFields({})
  byId('pay').focus()
}

for (const button of document.querySelectorAll<HTMLButtonElement>('[data-card]')) {
  button.addEventListener('click', () => fillForm(button.dataset['card'] ?? ''))
}

/** Groups digits as on the card. */
function groupDigits(input: HTMLInputElement, size: number, joint: string): void {
  input.addEventListener('input', (event) => {
    if (event instanceof InputEvent && event.inputType.startsWith('delete')) return
    if (input.selectionStart !== input.value.length) return
    const digits = input.value.replaceAll(/\D/g, '')
    input.value = (digits.match(new RegExp(`.{1,${size}}`, 'g')) ?? []).join(joint)
  })
}

const number = document.getElementById('number')
const expiry = document.getElementById('expiry')
if (number instanceof HTMLInputElement) groupDigits(number, 4, ' ')
if (expiry instanceof HTMLInputElement) groupDigits(expiry, 2, ' / ')

async function pollState(): Promise<void> {
  if (isBusy || paying === null || paying.hidden) return
  const response = await fetch(`/sandbox/stripe/state?client_secret=${encodeURIComponent(secret)}`)
  const state: unknown = await response.json()
  if (typeof state !== 'object' || state === null || !('status' in state)) return
  if (state.status === 'expired') show('over')
  if (state.status === 'complete') show('paid')
}

setInterval(() => void pollState().catch(() => {}), POLL_MS)
