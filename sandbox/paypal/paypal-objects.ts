import type { CaptureRecord, OrderRecord, WalletRefundRecord } from '#sandbox/store.ts'
import { isoText } from '#server/kernel/clock.ts'

/** PayPal's timestamps have no fraction. */
export function paypalTime(instant: number): string {
  return isoText(instant).replace(/\.\d{3}Z$/, 'Z')
}

const HOST = 'https://api-m.sandbox.paypal.com'

export function paypalLink(path: string, rel: string, method: 'GET' | 'POST') {
  return { href: `${HOST}${path}`, rel, method }
}

/** Minor units of a value this sandbox has checked before. */
export function minorOf(value: string): number {
  return Number(value.replace('.', ''))
}

export function decimalOf(minor: number): string {
  return (minor / 100).toFixed(2)
}

/** PayPal's fee, simplified for the sandbox: 2.9 % plus 30. */
function breakdown({ currency, value }: CaptureRecord) {
  const gross = minorOf(value)
  const fee = Math.min(gross, Math.round(gross * 0.029) + 30)
  const money = (minor: number) => ({ currency_code: currency, value: decimalOf(minor) })
  return { gross_amount: money(gross), paypal_fee: money(fee), net_amount: money(gross - fee) }
}

/** A capture as `GET /v2/payments/captures/{id}` and events show it. */
export function captureObject(capture: CaptureRecord) {
  const { id, status, currency, value, customId, invoiceId } = capture
  return {
    id,
    status,
    ...(status === 'PENDING' ? { status_details: { reason: 'PENDING_REVIEW' } } : {}),
    amount: { currency_code: currency, value },
    final_capture: true,
    ...(customId === null ? {} : { custom_id: customId }),
    ...(invoiceId === null ? {} : { invoice_id: invoiceId }),
    ...(status === 'PENDING' || status === 'DECLINED'
      ? {}
      : { seller_receivable_breakdown: breakdown(capture) }),
    supplementary_data: { related_ids: { order_id: capture.order } },
    create_time: paypalTime(capture.created),
    update_time: paypalTime(capture.updated),
    links: [
      paypalLink(`/v2/payments/captures/${id}`, 'self', 'GET'),
      paypalLink(`/v2/payments/captures/${id}/refund`, 'refund', 'POST'),
      paypalLink(`/v2/checkout/orders/${capture.order}`, 'up', 'GET'),
    ],
  }
}

/** A capture as embedded in an order, without what the order already says. */
function innerCapture(capture: CaptureRecord) {
  const { supplementary_data: _related, ...rest } = captureObject(capture)
  return rest
}

function payerOf({ payer }: OrderRecord) {
  if (payer === null) return {}
  const name = { given_name: payer.given, surname: payer.family }
  const address = { country_code: payer.country }
  return {
    payer: { name, email_address: payer.email, payer_id: payer.id, address },
    payment_source: {
      paypal: {
        name,
        email_address: payer.email,
        account_id: payer.id,
        address,
      },
    },
  }
}

function linksOf(order: OrderRecord) {
  const self = `/v2/checkout/orders/${order.id}`
  const all = [paypalLink(self, 'self', 'GET')]
  if (order.status === 'PAYER_ACTION_REQUIRED' || order.status === 'CREATED') {
    const href = `https://www.sandbox.paypal.com/checkoutnow?token=${order.id}`
    all.push({ href, rel: 'payer-action', method: 'GET' })
  }
  if (order.status === 'APPROVED') all.push(paypalLink(`${self}/capture`, 'capture', 'POST'))
  return all
}

/** The payments of an order: its capture and the refunds of it. */
export type OrderPayments = { capture: CaptureRecord; refunds: WalletRefundRecord[] }

function paymentsOf(moved: OrderPayments | null) {
  if (moved === null) return {}
  const { capture, refunds } = moved
  return {
    payments: {
      captures: [innerCapture(capture)],
      ...(refunds.length === 0 ? {} : { refunds: refunds.map(walletRefundObject) }),
    },
  }
}

/** An order, with its payments once there are any. */
export function orderObject(order: OrderRecord, payments: OrderPayments | null) {
  const { customId, invoiceId, description } = order
  return {
    id: order.id,
    intent: 'CAPTURE',
    status: order.status,
    ...payerOf(order),
    purchase_units: [
      {
        reference_id: order.referenceId,
        amount: { currency_code: order.currency, value: order.value },
        ...(description === null ? {} : { description }),
        ...(customId === null ? {} : { custom_id: customId }),
        ...(invoiceId === null ? {} : { invoice_id: invoiceId }),
        ...paymentsOf(payments),
      },
    ],
    create_time: paypalTime(order.created),
    update_time: paypalTime(order.updated),
    links: linksOf(order),
  }
}

export function walletRefundObject(refund: WalletRefundRecord) {
  const { id, status, currency, value, customId, invoiceId } = refund
  return {
    id,
    status,
    amount: { currency_code: currency, value },
    ...(customId === null ? {} : { custom_id: customId }),
    ...(invoiceId === null ? {} : { invoice_id: invoiceId }),
    create_time: paypalTime(refund.created),
    update_time: paypalTime(refund.created),
    links: [
      paypalLink(`/v2/payments/refunds/${id}`, 'self', 'GET'),
      paypalLink(`/v2/payments/captures/${refund.capture}`, 'up', 'GET'),
    ],
  }
}
