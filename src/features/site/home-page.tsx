import { ClientOnly } from '@tanstack/react-router'
import { Container } from '#app/ui/card.tsx'
import { PageTitle } from '#app/ui/page-title.tsx'
import { Hero } from './hero.tsx'
import { HowItWorks, TrustPoints } from './home-sections.tsx'
import { PopularSpecialties } from './popular-specialties.tsx'
import { PromoModal } from './promo-modal.tsx'

/** `/home`: search first, then what to expect. */
export function HomePage() {
  return (
    <>
      <PageTitle
        title="Apposite: find a doctor or dentist near you"
        description="Find a doctor or dentist near a postcode or ZIP code, see the times they are free, book and pay."
      />
      <Hero />
      <Container className="flex flex-col gap-18 pt-12 sm:pt-18">
        <PopularSpecialties />
        <HowItWorks />
        <TrustPoints />
      </Container>
      {/* Whether it was seen before only the browser knows. */}
      <ClientOnly>
        <PromoModal />
      </ClientOnly>
    </>
  )
}
