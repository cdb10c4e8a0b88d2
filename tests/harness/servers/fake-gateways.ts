import type { OutsideFailure } from '#contract/outside-calendars.ts'
import type { CalendarView, Doubt } from '#server/gateways/ics/entry-reader.ts'
import type { Span } from '#server/gateways/ics/times.ts'
import type { OutsideCalendarGateway, Validators } from '#server/gateways/outside-calendars.ts'
import type {
  GatewayState,
  PaymentGateways,
  PaymentOrder,
} from '#server/gateways/payment-gateways.ts'
import { UpstreamError } from '#server/kernel/errors.ts'
import { OutsideError } from '#server/kernel/outside-address.ts'

/** How the owner of a wallet, or their bank, responds to the next capture. */
export type NextCapture = 'paid' | 'pending' | 'declined' | 'away'

/** Both vendors' records in memory, and what a test decides for them. */
export type FakeGateways = PaymentGateways & {
  /** The buyer has paid: by card in the vendor's form, or an order whose money comes in late. */
  pay(session: string): void
  /** Makes both vendors unreachable. */
  goAway(): void
  nextCapture: NextCapture
}

function refuseRefund(): never {
  throw new Error('The fake vendors make no refunds.')
}

/** Fake vendors for tests of the pages: the sandbox has its own tests, and speaks the real protocols. */
export function makeFakeGateways(): FakeGateways {
  const books = new Map<string, GatewayState>()
  let isAway = false
  const read = (session: string): GatewayState => {
    if (isAway) throw new UpstreamError('The faked gateway', null)
    const truth = books.get(session)
    if (truth === undefined) throw new Error(`There is no session ${session}`)
    return truth
  }
  const write = (session: string, state: GatewayState['state']): GatewayState => {
    const truth = { ...read(session), state, gwPayment: state === 'paid' ? `pi_${session}` : null }
    books.set(session, truth)
    return truth
  }
  const open = (session: string, order: PaymentOrder) => {
    if (isAway) throw new UpstreamError('The faked gateway', null)
    const { paymentId, amountMinor, currency, email } = order
    if (!books.has(session)) {
      books.set(session, {
        state: 'open',
        paymentId,
        amountMinor,
        currency,
        gwPayment: null,
        returnedMinor: 0,
        email,
      })
    }
    return { session, clientSecret: `${session}_secret` }
  }
  const gateways: FakeGateways = {
    nextCapture: 'paid',
    pay: (session) => {
      write(session, 'paid')
    },
    goAway: () => {
      isAway = true
    },
    options: () =>
      Promise.resolve({
        stripe: { publishableKey: 'pk_test_fake' },
        paypal: { clientId: 'fake', environment: 'sandbox' },
        sandboxScripts: [],
      }),
    sandbox: null,
    stripe: {
      open: async (order) => open(`cs_${order.paymentId}`, order),
      read: async ({ session }) => read(session),
      close: async (session) =>
        read(session).state === 'paid' ? read(session) : write(session, 'closed'),
      refund: async () => refuseRefund(),
      readRefund: async () => refuseRefund(),
      listReturned: async () => [],
      listDisputes: async () => [],
      readEvent: async () => refuseRefund(),
      readFacts: () => ({ gwPayment: null, dispute: null }),
      listSince: async () => ({ taken: [], returned: [] }),
    },
    paypal: {
      open: async (order) => open(`PP${order.paymentId}`, order),
      read: async ({ session }) => read(session),
      capture: async (session) => {
        if (gateways.nextCapture === 'away') throw new UpstreamError('The faked gateway', null)
        return write(session, gateways.nextCapture)
      },
      refund: async () => refuseRefund(),
      readRefund: async () => refuseRefund(),
      listReturned: async () => [],
      listDisputes: async () => [],
      readEvent: async () => refuseRefund(),
      readFacts: () => ({ gwPayment: null, dispute: null }),
      listTransactions: async () => ({ taken: [], returned: [] }),
    },
  }
  return gateways
}

type ReadRequest = { address: string; known: Validators; view: CalendarView }

export type FakeOutsideCalendars = OutsideCalendarGateway & {
  /** Every read of a calendar, in order. */
  reads: ReadRequest[]
  /** Sets the busy times of all calendars: `2026-03-10T09:00/10:00`, UTC, one day each. */
  setBusy(...busy: string[]): void
  /** Makes all reads fail from now on. */
  fail(failure: OutsideFailure): void
  /** Our own visits that the calendars contain. */
  own: (Span & { id: string })[]
  /** What the calendars are not certain about. */
  doubts: Doubt[]
}

function spanOf(text: string): Span {
  const [from = '', to = ''] = text.split('/')
  return { start: Date.parse(`${from}Z`), end: Date.parse(`${from.slice(0, 11)}${to}Z`) }
}

/** Fake outside calendars. Reading with the current ETag reports no change. */
export function makeFakeOutsideCalendars(): FakeOutsideCalendars {
  const asked: ReadRequest[] = []
  const own: FakeOutsideCalendars['own'] = []
  const doubts: Doubt[] = []
  let spans: Span[] = []
  let failing: OutsideFailure | null = null
  let version = 1
  return {
    reads: asked,
    own,
    doubts,
    setBusy: (...busy) => {
      spans = busy.map(spanOf)
      failing = null
      version += 1
    },
    fail: (failure) => {
      failing = failure
    },
    read: (address, known, view) => {
      asked.push({ address, known, view })
      if (failing !== null) return Promise.reject(new OutsideError(failing))
      const etag = `"${version}"`
      if (known.etag === etag) return Promise.resolve({ kind: 'unchanged' })
      const certain = { unreadable: doubts.length, doubts, etag, lastModified: null }
      return Promise.resolve({ kind: 'busy', spans, own, ...certain })
    },
  }
}
