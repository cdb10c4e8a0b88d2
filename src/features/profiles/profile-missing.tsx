import { useNavigate } from '@tanstack/react-router'
import { SearchBox } from '#app/parts/search-box.tsx'
import { Card } from '#app/ui/card.tsx'
import { Container } from '#app/ui/container.tsx'
import { PageTitle } from '#app/ui/page-title.tsx'
import { TextLink } from '#app/ui/text-link.tsx'
import type { Region } from '#contract/region.ts'
import { DEFAULT_RADIUS } from '#contract/search.ts'
import { sentenceFor } from '#contract/sentences.ts'

const nothing = {
  postcode: '',
  specialty: undefined,
  radius: DEFAULT_RADIUS,
  distance_filter_clicked: false,
} as const

/** A profile that is not there, or no longer: say so and lead on to others. */
export function ProfileMissing({ region }: { region: Region }) {
  const navigate = useNavigate()
  return (
    <Container className="py-10 md:py-18">
      <PageTitle title="Provider not found" />
      <h1 className="text-3xl font-semibold">This provider is not here</h1>
      <p className="mt-3 max-w-prose text-lg text-muted">{sentenceFor('provider_not_found')}</p>
      <Card className="mt-8">
        <h2 className="mb-4 text-xl font-semibold">Find somebody else</h2>
        <SearchBox
          region={region}
          initial={nothing}
          onSearch={(wish) =>
            void navigate({ to: '/results', search: { ...wish, selectedRegion: region } })
          }
        />
      </Card>
      <p className="mt-6">
        If you had a visit planned with them, <TextLink to="/contact-us">write to us</TextLink> and
        we look into it.
      </p>
    </Container>
  )
}
