import { CircleCheck, Printer } from 'lucide-react'
import { dayOf, formatDay } from '#app/lib/format-time.ts'
import { policySentence } from '#app/lib/policy-sentence.ts'
import { siteConfig } from '#app/lib/site-config.ts'
import { CalendarButton } from '#app/parts/calendar-button.tsx'
import { VisitDetails } from '#app/parts/visit-details.tsx'
import { Button } from '#app/ui/button.tsx'
import { Container } from '#app/ui/container.tsx'
import { LinkButton } from '#app/ui/link-button.tsx'
import { PageTitle } from '#app/ui/page-title.tsx'
import { TextLink, textLinkClass } from '#app/ui/text-link.tsx'
import type { Visit } from '#contract/booking.ts'

type PaymentCompleteProps = {
  /** Whom the confirmation went to; known to its owner only. */
  email: string | null
  visit: Visit | null
}

function Panel({ visit }: Pick<PaymentCompleteProps, 'visit'>) {
  return (
    <div className="rounded-card bg-ok px-6 py-8 text-center text-on-brand sm:py-10 print:border print:bg-transparent print:text-ink">
      <CircleCheck aria-hidden="true" strokeWidth={1.75} className="mx-auto size-12" />
      <h1 className="mt-3 text-3xl font-semibold">Booking complete</h1>
      {visit && (
        <p className="mt-3">
          Your reference
          <span className="tabular block font-semibold wrap-anywhere select-all">{visit.id}</span>
        </p>
      )}
    </div>
  )
}

function Thanks({ email }: Pick<PaymentCompleteProps, 'email'>) {
  const { supportEmail } = siteConfig()
  return (
    <p className="max-w-prose text-lg">
      Thank you. A confirmation email was sent to{' '}
      {email === null ? (
        'your email address'
      ) : (
        <strong className="font-semibold wrap-anywhere">{email}</strong>
      )}
      . If you have any questions, write to{' '}
      <a href={`mailto:${supportEmail}`} className={textLinkClass}>
        {supportEmail}
      </a>
      .
    </p>
  )
}

function Next({ visit }: { visit: Visit }) {
  return (
    <section aria-labelledby="next">
      <h2 id="next" className="text-xl font-semibold">
        What happens next
      </h2>
      <ol className="mt-3 flex max-w-prose list-decimal flex-col gap-2 pl-5">
        <li>{visit.provider.name} sees your booking and what you wrote.</li>
        <li>
          Be at {visit.place.name} a few minutes before, with a list of any medicines you take.
        </li>
        <li>
          If you cannot come, <TextLink to="/contact-us">write to us</TextLink> as soon as you know.{' '}
          {policySentence(visit.cancellation)}
        </li>
      </ol>
    </section>
  )
}

/** Paid and booked: the receipt, the visit, and everything one does with it. */
export function PaymentComplete({ email, visit }: PaymentCompleteProps) {
  return (
    <Container className="py-6 sm:py-10">
      <PageTitle title="Booking complete" />
      <div className="mx-auto flex max-w-160 flex-col gap-8">
        <Panel visit={visit} />
        <Thanks email={email} />
        {visit ? (
          <>
            <section aria-labelledby="visit">
              <h2 id="visit" className="mb-4 text-xl font-semibold">
                Your visit
              </h2>
              <VisitDetails visit={visit} />
            </section>
            <div className="no-print flex flex-wrap items-center gap-3">
              <CalendarButton
                visitId={visit.id}
                what={`${visit.provider.name}, ${formatDay(dayOf(visit.startsAt, visit.timeZone), visit.timeZone, 'long')}`}
                variant="primary"
              />
              <Button variant="secondary" onClick={() => print()}>
                <Printer aria-hidden="true" strokeWidth={1.75} className="size-5" />
                Print
              </Button>
            </div>
            <Next visit={visit} />
            <div className="no-print border-t border-line pt-6">
              <LinkButton to="/userProfile" search={{ booked: visit.id }} variant="secondary">
                Go to your visits
              </LinkButton>
            </div>
          </>
        ) : (
          <div>
            <LinkButton to="/sign-in" search={{ next: '/userProfile' }}>
              Sign in to see your visit
            </LinkButton>
          </div>
        )}
      </div>
    </Container>
  )
}
