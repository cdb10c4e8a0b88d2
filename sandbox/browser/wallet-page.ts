/** The wallet page: the buyer approves or cancels, and the opener is notified. */
const form = document.querySelector<HTMLFormElement>('#wallet')
const orderId = form?.dataset['token'] ?? new URLSearchParams(location.search).get('token') ?? ''

/** `instanceof` does not work here: every window has its own `Window`. */
function isWindow(value: unknown): value is Window {
  return typeof value === 'object' && value !== null && 'postMessage' in value
}

function openerWindow(): Window {
  const opener: unknown = window.opener
  return isWindow(opener) ? opener : parent
}

/** Posts the buyer's choice to the window that opened this page. */
export function postToOpener(message: Record<string, unknown>): void {
  if (openerWindow() !== window) {
    openerWindow().postMessage({ from: 'sandbox-wallet', orderId, ...message }, location.origin)
  }
}

function showRefusal(text: string): void {
  const place = document.getElementById('refusal')
  if (place === null) return
  place.hidden = false
  place.textContent = text
}

let isBusy = false

async function approve(outcome: string): Promise<void> {
  if (isBusy) return
  isBusy = true
  try {
    const response = await fetch('/sandbox/paypal/approve', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token: orderId, outcome }),
    })
    if (!response.ok) {
      showRefusal('This payment is over. Cancel to go back.')
      return
    }
    const order: unknown = await response.json()
    const payerId = order instanceof Object && 'payerId' in order ? order.payerId : undefined
    postToOpener({ choice: 'approved', payerId })
  } catch {
    showRefusal('The wallet could not be reached. Try again.')
  } finally {
    isBusy = false
  }
}

form?.addEventListener('submit', (event) => {
  event.preventDefault()
  const outcome = new FormData(form).get('outcome')
  void approve(typeof outcome === 'string' ? outcome : 'pay')
})

document.querySelector('[data-choice="cancel"]')?.addEventListener('click', () => {
  postToOpener({ choice: 'cancelled' })
})
