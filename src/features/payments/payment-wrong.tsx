import type { Failure } from '#app/lib/errors.ts'
import { siteConfig } from '#app/lib/site-config.ts'
import { Button } from '#app/ui/button.tsx'
import { Container } from '#app/ui/container.tsx'
import { LinkButton } from '#app/ui/link-button.tsx'
import { PageTitle } from '#app/ui/page-title.tsx'
import { textLinkClass } from '#app/ui/text-link.tsx'
import type { FailureReason } from '#contract/payments.ts'
import { reasonWords, SOMETHING } from './words.ts'

type PaymentWrongProps = {
  reason: FailureReason | null
  /** Why we could not even ask. */
  failure?: Failure
  onRetry?: () => void
}

/** Neither paid nor open, or we do not know: what we do know, whom to write to, and the ways on. */
export function PaymentWrong({ reason, failure, onRetry }: PaymentWrongProps) {
  const { supportEmail } = siteConfig()
  const why = failure ? failure.sentence : reasonWords(reason)
  return (
    <Container className="py-10 sm:py-16">
      <PageTitle title={SOMETHING} />
      <div role="alert" className="max-w-prose">
        <h1 className="text-2xl font-semibold sm:text-3xl">{SOMETHING}</h1>
        {why && <p className="mt-4 text-lg">{why}</p>}
        <p className="mt-4 text-lg text-muted">
          If money has left your account, the visit stands among your visits or the money comes
          back. Write to{' '}
          <a href={`mailto:${supportEmail}`} className={textLinkClass}>
            {supportEmail}
          </a>{' '}
          and we look into it.
        </p>
        {failure?.reference && (
          <p className="mt-2 text-sm text-muted">
            Reference: <span className="tabular select-all">{failure.reference}</span>
          </p>
        )}
      </div>
      <div className="mt-8 flex flex-wrap gap-3">
        {onRetry && <Button onClick={onRetry}>Try again</Button>}
        <LinkButton to="/userProfile" hash="visits" variant={onRetry ? 'secondary' : 'primary'}>
          See your visits
        </LinkButton>
        <LinkButton to="/home" variant="secondary">
          Go home
        </LinkButton>
      </div>
    </Container>
  )
}
