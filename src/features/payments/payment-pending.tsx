import { Container } from '#app/ui/container.tsx'
import { PageTitle } from '#app/ui/page-title.tsx'
import { Spinner } from '#app/ui/spinner.tsx'

/** We do not know yet, or the money is still moving: what happens, and that nobody need wait. */
export function PaymentPending({ isKnown = false }: { isKnown?: boolean }) {
  return (
    <Container className="py-10 sm:py-16">
      <PageTitle title="Processing Payment" />
      <div className="max-w-prose">
        <h1 className="flex items-center gap-4 text-2xl font-semibold sm:text-3xl">
          <span className="text-brand">
            <Spinner />
          </span>
          Processing Payment
        </h1>
        <p role="status" className="mt-4 text-lg text-muted">
          {isKnown
            ? 'Your bank has not answered for good yet. You can close this page: we mail you as soon as the payment is through. Do not pay again.'
            : 'We ask whether your payment is through.'}
        </p>
      </div>
    </Container>
  )
}
