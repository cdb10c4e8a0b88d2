import { ClientOnly } from '@tanstack/react-router'
import { BadgeCheck, CalendarClock, ListOrdered } from 'lucide-react'
import { useState } from 'react'
import { useBannerWanted } from '#app/lib/consent.ts'
import { readStored, writeStored } from '#app/lib/storage.ts'
import { PromoDialog } from '#app/parts/promo-dialog.tsx'
import { TextLink } from '#app/ui/button.tsx'
import { Container } from '#app/ui/card.tsx'
import { PageTitle } from '#app/ui/page-title.tsx'
import { Hero } from './hero.tsx'
import { PopularSpecialties } from './popular-specialties.tsx'
import { useHomepage } from './use-homepage.ts'

/** `/home`: search first, then what to expect. */
export function HomePage() {
  return (
    <>
      <PageTitle
        title="Apposite: find a doctor or dentist near you"
        description="Find a doctor or dentist near a postcode or ZIP code, see when they’re free, book and pay."
      />
      <Hero />
      <Container className="flex flex-col gap-18 pt-12 sm:pt-18">
        <PopularSpecialties />
        <HowItWorks />
        <TrustPoints />
      </Container>
      {/* Only the browser knows whether it was seen before. */}
      <ClientOnly>
        <PromoModal />
      </ClientOnly>
    </>
  )
}

const steps = [
  {
    title: 'Tell us where and what',
    text: 'A postcode, a ZIP code or a town, the specialty, and how far you’d travel.',
  },
  {
    title: 'Compare real times and fees',
    text: 'See who is near, what a visit costs and when they are next free, in a list or on a map.',
  },
  {
    title: 'Book and pay',
    text: 'We hold the time for you while you tell us why you’re coming and pay, by card or with PayPal.',
  },
]

/** How it works, in three steps. */
function HowItWorks() {
  return (
    <section aria-labelledby="how">
      <h2 id="how" className="text-2xl font-semibold">
        How it works
      </h2>
      <ol className="mt-6 grid gap-8 md:grid-cols-3">
        {steps.map((step, at) => (
          <li key={step.title} className="border-t-2 border-brand pt-4">
            <span aria-hidden="true" className="tabular font-semibold text-brand">
              {at + 1}
            </span>
            <h3 className="mt-1 text-lg font-semibold">{step.title}</h3>
            <p className="mt-1 text-muted">{step.text}</p>
          </li>
        ))}
      </ol>
    </section>
  )
}

const promises = [
  {
    icon: BadgeCheck,
    title: 'Checked against the register',
    text: 'We only list providers whose GMC, GDC or NPI registration we’ve checked. Each profile says when.',
    anchor: 'verification',
    more: 'Who is listed',
  },
  {
    icon: CalendarClock,
    title: 'Times that are really free',
    text: 'They come from the provider’s own calendar, shown in the clinic’s local time.',
    anchor: undefined,
    more: undefined,
  },
  {
    icon: ListOrdered,
    title: 'Nobody pays to rank higher',
    text: 'Results appear in the order you choose: nearest, soonest, or by fee.',
    anchor: 'ranking',
    more: 'How results are ordered',
  },
] as const

/** Why the results can be trusted. */
function TrustPoints() {
  return (
    <section aria-labelledby="trust">
      <h2 id="trust" className="text-2xl font-semibold">
        Why you can rely on it
      </h2>
      <ul className="mt-6 grid gap-8 md:grid-cols-3">
        {promises.map(({ icon: Icon, title, text, anchor, more }) => (
          <li key={title}>
            <Icon aria-hidden="true" className="size-7 text-brand" />
            <h3 className="mt-3 text-lg font-semibold">{title}</h3>
            <p className="mt-1 text-muted">{text}</p>
            {anchor && (
              <TextLink
                to="/about-us"
                hash={anchor}
                className="mt-2 inline-flex min-h-8 items-center"
              >
                {more}
              </TextLink>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

const SEEN_KEY = 'promotionSeen'

/**
 * Shows a promotion on the home page, once per browser session, if staff have enabled it. It waits until the
 * cookie banner is answered, so that only one thing at a time asks for attention.
 */
function PromoModal() {
  const { homepage } = useHomepage()
  const [seen, setSeen] = useState(() => readStored(SEEN_KEY, 'session'))
  // Once staff change the words, it counts as another promotion.
  const words = `${homepage.modal_heading}\n${homepage.modal_description}`
  const close = () => {
    writeStored(SEEN_KEY, words, 'session')
    setSeen(words)
  }
  const isAsking = useBannerWanted()
  const isOpen = homepage.show_modal && seen !== words && !isAsking
  return <PromoDialog homepage={homepage} isOpen={isOpen} onClose={close} />
}
