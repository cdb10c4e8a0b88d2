import {
  PayPalProvider,
  usePayPal,
  usePayPalOneTimePaymentSession,
} from '@paypal/react-paypal-js/sdk-v6'
import { describeFailure } from '#app/lib/errors.ts'
import { Button } from '#app/ui/button.tsx'
import { ErrorState } from '#app/ui/error-state.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { formatExactMoney } from '#contract/money.ts'
import { priceOf } from './pay-input.ts'
import { PaymentMoving } from './payment-moving.tsx'
import { PaymentOverlay } from './payment-overlay.tsx'
import type { PaymentSlot } from './payment-slot.ts'
import { useGateways } from './use-gateways.ts'
import { useWallet } from './use-wallet.ts'

type WalletButtonProps = Pick<
  ReturnType<typeof useWallet>,
  'createOrder' | 'onApprove' | 'onCancel' | 'onError'
> & { price: string }

/** The wallet's own button: the press itself opens its window, or the browser would block it. */
function WalletButton({ price, createOrder, ...told }: WalletButtonProps) {
  const { isHydrated } = usePayPal()
  const { error, isPending, handleClick } = usePayPalOneTimePaymentSession({
    createOrder,
    ...told,
    presentationMode: 'auto',
  })
  if (error !== null) {
    return (
      <ErrorState
        title="PayPal did not load"
        sentence="Check your connection and load this page again, or go back and pay by card."
        reference={null}
        actions={<Button onClick={() => location.reload()}>Load again</Button>}
      />
    )
  }
  if (isPending || !isHydrated) return <Skeleton className="h-13 w-full max-w-form" />
  return (
    <div className="flex max-w-form flex-col gap-2 [&>paypal-button]:block [&>paypal-button]:w-full">
      <p id="wallet-price">
        Pay <strong className="tabular font-semibold">{price}</strong> with PayPal. It opens in a
        window of its own.
      </p>
      <paypal-button
        type="pay"
        aria-describedby="wallet-price"
        onClick={() => {
          handleClick().catch(() => {
            // Said by onError already, which gets to know of everything that goes wrong.
          })
        }}
      />
    </div>
  )
}

/** Paying with PayPal: its button, what it says, and the overlay while money moves. */
export function WalletPayment(slot: PaymentSlot) {
  const { data: options, error, refetch } = useGateways()
  const wallet = useWallet(slot)
  if (error) {
    return (
      <ErrorState
        title="PayPal did not load"
        sentence={describeFailure(error).sentence}
        reference={null}
        actions={<Button onClick={() => void refetch()}>Try again</Button>}
      />
    )
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
        </Notice>
      )}
      {phase === 'ready' || phase === 'processing' ? (
        <PayPalProvider
          clientId={options.paypal.clientId}
          environment={options.paypal.environment}
          components={['paypal-payments']}
          pageType="checkout"
        >
          <WalletButton price={formatExactMoney(priceOf(slot.hold))} {...wallet} />
        </PayPalProvider>
      ) : (
        <PaymentMoving phase={phase} />
      )}
      <PaymentOverlay phase={phase} onDismiss={wallet.dismiss} onGo={wallet.go} />
    </>
  )
}
