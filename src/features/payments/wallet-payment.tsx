import {
  PayPalProvider,
  usePayPal,
  usePayPalOneTimePaymentSession,
} from '@paypal/react-paypal-js/sdk-v6'
import { CircleCheck } from 'lucide-react'
import { createElement, useCallback, useEffect, useEffectEvent, useRef, useState } from 'react'
import { describeFailure } from '#app/lib/errors.ts'
import { LoadFailure } from '#app/parts/data-boundary.tsx'
import { trpc } from '#app/trpc.ts'
import { Button } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { ErrorState, Notice } from '#app/ui/notice.tsx'
import { Skeleton, Spinner } from '#app/ui/page.tsx'
import { formatExactMoney } from '#contract/base/money.ts'
import { REDIRECT_MS, SUCCESS_MS, WALLET_MESSAGE_MS } from '#contract/payments.ts'
import { isOutcomeUnknown, pollPayment, retryCapture, useGateways } from './gateway-calls.ts'
import {
  CANCELLED,
  FAILED,
  MAYBE_CHARGED,
  NOT_CHARGED,
  NOT_VERIFIED,
  notChargedText,
  notifyCheckout,
  OTHER_ERROR,
  OUTCOME_UNKNOWN,
  type PaymentSlot,
  payInputOf,
  reasonText,
  SERVER_STILL_UNREACHABLE,
  SERVER_UNREACHABLE,
  shownPrice,
  TIMED_OUT,
  WALLET_ERROR,
} from './payment-messages.ts'
import { PaymentInProgress, type WalletPhase } from './payment-outcome.tsx'

type WalletButtonProps = Pick<
  ReturnType<typeof useWallet>,
  'createOrder' | 'onApprove' | 'onCancel' | 'onError'
> & { price: string }

/** The wallet's own button: the press itself must open its window, or the browser blocks it. */
function WalletButton({ price, createOrder, ...handlers }: WalletButtonProps) {
  const { isHydrated } = usePayPal()
  const { error, isPending, handleClick } = usePayPalOneTimePaymentSession({
    createOrder,
    ...handlers,
    presentationMode: 'auto',
  })
  if (error !== null) {
    return (
      <ErrorState
        title="PayPal didn’t load"
        sentence="Check your connection and reload the page, or go back and pay by card."
        reference={null}
        actions={<Button onClick={() => location.reload()}>Reload the page</Button>}
      />
    )
  }
  if (isPending || !isHydrated) return <Skeleton className="h-13 w-full max-w-form" />
  return (
    <div className="flex max-w-form flex-col gap-2 [&>paypal-button]:block [&>paypal-button]:w-full">
      <p id="wallet-price">
        Pay <strong className="tabular font-semibold">{price}</strong> with PayPal. It opens in a
        new window.
      </p>
      <paypal-button
        type="pay"
        aria-describedby="wallet-price"
        onClick={() => {
          handleClick().catch(() => {
            // Reported by onError already, which receives every error.
          })
        }}
      />
    </div>
  )
}

/** Payment with PayPal: its button, its messages, and the overlay while the payment is in progress. */
export function WalletPayment(slot: PaymentSlot) {
  const { data: options, error, refetch } = useGateways()
  const wallet = useWallet(slot)
  if (error) {
    return <LoadFailure title="PayPal didn’t load" error={error} onRetry={() => void refetch()} />
  }
  if (options === undefined) return <Skeleton className="h-13 w-full max-w-form" />
  const { phase, problem, message } = wallet
  return (
    <>
      {problem && (
        <Notice kind={phase === 'unsure' ? 'warn' : 'danger'} role="alert" title={problem.words}>
          {problem.detail && <p>{problem.detail}</p>}
        </Notice>
      )}
      {message && (
        <Notice kind="warn" role="alert">
          <p className="font-semibold">{message}</p>
          <p>{NOT_CHARGED}</p>
        </Notice>
      )}
      {phase === 'ready' || phase === 'processing' ? (
        createElement(PayPalProvider, {
          clientId: options.paypal.clientId,
          environment: options.paypal.environment,
          components: ['paypal-payments'],
          pageType: 'checkout',
          // oxlint-disable-next-line react/no-children-prop -- required by its type
          children: <WalletButton price={formatExactMoney(shownPrice(slot.hold))} {...wallet} />,
        })
      ) : (
        <PaymentInProgress phase={phase} />
      )}
      <PaymentOverlay phase={phase} onDismiss={wallet.dismiss} onGo={wallet.go} />
    </>
  )
}

type Problem = { words: string; detail: string | null }

/** State of a payment with the wallet, from the press of its button to the booked visit. */
export function useWallet(slot: PaymentSlot) {
  const { hold, onPaying, onBooked, onTaken } = slot
  const { client } = trpc.useUtils()
  const [phase, setPhase] = useState<WalletPhase>(() =>
    hold.movingOrder === null ? 'ready' : 'processing',
  )
  const [problem, setProblem] = useState<Problem | null>(null)
  const [visitId, setVisitId] = useState<string | null>(null)
  const timedMessage = useTimedMessage(WALLET_MESSAGE_MS)
  /** Why our own server refused to start, which the wallet reports only as a generic error. */
  const refusal = useRef<string | null>(null)
  /** Counts attempts, so that results of an abandoned one are ignored. */
  const attempt = useRef(0)

  useEffect(() => {
    if (phase !== 'paid' && phase !== 'leaving') return
    const wait = phase === 'paid' ? SUCCESS_MS : REDIRECT_MS
    const timer = setTimeout(() => {
      if (phase === 'paid') setPhase('leaving')
      else onBooked(visitId ?? hold.id)
    }, wait)
    return () => clearTimeout(timer)
  }, [phase, visitId, hold.id, onBooked])

  const fail = (words: string, detail: string | null = null) => {
    setPhase('ready')
    onPaying(false)
    setProblem({ words, detail })
  }

  const poll = async (orderId: string) => {
    const result = await pollPayment(client, orderId)
    if (result.end === 'paid') {
      setVisitId(result.visitId)
      setPhase('paid')
    } else if (result.end === 'failed') fail(FAILED, reasonText(result.reason) ?? MAYBE_CHARGED)
    else if (result.end === 'lost') await recoverContact(FAILED, orderId)
    else {
      setPhase('unsure')
      setProblem({ words: TIMED_OUT, detail: OUTCOME_UNKNOWN })
    }
  }

  const confirmed = async (orderId: string, success: boolean) => {
    if (success) await poll(orderId)
    else fail(NOT_VERIFIED, MAYBE_CHARGED)
  }

  const broken = (error: unknown) => {
    const failure = describeFailure(error)
    fail(OTHER_ERROR, `${failure.sentence} ${MAYBE_CHARGED}`)
    notifyCheckout(failure, slot)
  }

  /** Says that the server is unreachable, and resumes as soon as it responds. */
  const recoverContact = async (words: string, orderId: string) => {
    fail(words, SERVER_UNREACHABLE)
    attempt.current += 1
    const ownAttempt = attempt.current
    const isWanted = () => attempt.current === ownAttempt
    const selectedAmount = shownPrice(hold).minor
    try {
      const answer = await retryCapture(client, { orderId, selectedAmount, isWanted })
      if (!isWanted()) return
      if (answer === null) {
        setProblem({ words, detail: SERVER_STILL_UNREACHABLE })
        return
      }
      setProblem(null)
      onPaying(true)
      setPhase('processing')
      await confirmed(orderId, answer.success)
    } catch (error) {
      broken(error)
    }
  }

  // Loaded while a payment was in progress: nothing to press, only to wait for.
  const resume = useEffectEvent(() => {
    if (hold.movingOrder === null) return
    onPaying(true)
    void poll(hold.movingOrder)
  })
  useEffect(() => {
    const starting = setTimeout(resume, 0)
    return () => {
      clearTimeout(starting)
      attempt.current += 1
    }
  }, [])

  return {
    phase,
    problem,
    message: timedMessage.words,
    createOrder: async (): Promise<{ orderId: string }> => {
      setProblem(null)
      timedMessage.clear()
      attempt.current += 1
      refusal.current = null
      try {
        const { orderId } = await client.payments.startWallet.mutate(payInputOf(hold))
        return { orderId }
      } catch (error) {
        const failure = describeFailure(error)
        if (!notifyCheckout(failure, slot)) refusal.current = failure.sentence
        throw error
      }
    },
    onApprove: async ({ orderId }: { orderId: string }): Promise<void> => {
      onPaying(true)
      setPhase('processing')
      try {
        const { startsAt, provider } = hold
        const { available } = await client.booking.checkSlot.query({
          providerId: provider.id,
          startsAt,
        })
        if (!available) {
          onPaying(false)
          onTaken()
          return
        }
        const { success } = await client.payments.capture.mutate({
          orderId,
          selectedAmount: shownPrice(hold).minor,
        })
        await confirmed(orderId, success)
      } catch (error) {
        if (isOutcomeUnknown(error)) await recoverContact(OTHER_ERROR, orderId)
        else broken(error)
      }
    },
    onCancel: () => timedMessage.say(CANCELLED),
    onError: () => {
      if (refusal.current !== null) {
        setProblem({
          words: WALLET_ERROR,
          detail: `${refusal.current} ${notChargedText(refusal.current)}`,
        })
      } else timedMessage.say(WALLET_ERROR)
    },
    /** Dismisses the overlay; the payment continues. */
    dismiss: () => setPhase((now) => (now === 'processing' ? 'moving' : 'leaving')),
    /** Goes to the visit without waiting. */
    go: () => onBooked(visitId ?? hold.id),
  }
}

/** A message that disappears after `ms` milliseconds; showing it again restarts the timer. */
function useTimedMessage(ms: number) {
  const [shown, setShown] = useState<{ words: string } | null>(null)
  useEffect(() => {
    if (shown === null) return
    const timer = setTimeout(() => setShown(null), ms)
    return () => clearTimeout(timer)
  }, [shown, ms])
  const say = useCallback((words: string) => setShown({ words }), [])
  const clear = useCallback(() => setShown(null), [])
  return { words: shown?.words ?? null, say, clear }
}

type PaymentOverlayProps = { phase: WalletPhase; onDismiss: () => void; onGo: () => void }

/** 'Processing Payment', then 'Payment Successful!'; can be dismissed without waiting. */
function PaymentOverlay({ phase, onDismiss, onGo }: PaymentOverlayProps) {
  const isPaid = phase === 'paid'
  return (
    <Dialog
      isOpen={isPaid || phase === 'processing'}
      onClose={onDismiss}
      title={isPaid ? 'Payment Successful!' : 'Processing Payment'}
      footer={
        <Button variant={isPaid ? 'primary' : 'secondary'} onClick={isPaid ? onGo : onDismiss}>
          {isPaid ? 'See your visit' : 'Carry on without waiting'}
        </Button>
      }
    >
      <div className="flex items-center gap-4 py-4">
        {isPaid ? (
          <CircleCheck aria-hidden="true" className="size-12 shrink-0 text-ok" />
        ) : (
          <span className="shrink-0 text-[2.5rem] leading-none text-brand">
            <Spinner />
          </span>
        )}
        <p role="status">
          {isPaid
            ? 'Taking you to your visit…'
            : 'This takes a few seconds. Don’t pay again. If you leave, we’ll email you once it goes through.'}
        </p>
      </div>
    </Dialog>
  )
}
