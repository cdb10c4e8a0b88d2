import { midSentence } from '#app/lib/format.ts'
import { ProviderCard } from '#app/parts/provider-card.tsx'
import { TextLink } from '#app/ui/button.tsx'
import type { ProviderProfile } from '#contract/search.ts'
import { Section } from './sections.tsx'

/** Others of the same speciality close by; distances are from this provider's place. */
export function Nearby({ profile }: { profile: ProviderProfile }) {
  const [place] = profile.places
  if (profile.nearby.length === 0) return null
  const title = `Other ${midSentence(profile.specialty.plural)} nearby`
  return (
    <Section id="nearby" title={title}>
      <ul className="grid items-start gap-4 lg:grid-cols-2">
        {profile.nearby.map((card) => (
          <li key={card.id}>
            <ProviderCard card={card} region={profile.region} />
          </li>
        ))}
      </ul>
      {place && (
        <p className="mt-4">
          <TextLink
            to="/results"
            search={{
              selectedRegion: profile.region,
              postcode: place.postcode,
              specialty: profile.specialty.slug,
            }}
          >
            See all {midSentence(profile.specialty.plural)} near {place.postcode}
          </TextLink>
        </p>
      )}
    </Section>
  )
}
