import { useRouter } from '@tanstack/react-router'
import { type OwnSearch, useOwnSearch } from '#app/lib/own-search.ts'
import { isPlainPress } from '#app/lib/plain-press.ts'
import { peopleWord, useSpecialities } from '#app/parts/use-specialities.ts'
import { TextLink } from '#app/ui/button.tsx'
import { Breadcrumb } from '#app/ui/page-title.tsx'
import type { Region } from '#contract/region.ts'
import type { ProviderProfile } from '#contract/search.ts'

/** Back to the results the person comes from, as they left them: page, order, filters and scroll. */
function OwnResults({ own, region }: { own: OwnSearch; region: Region }) {
  const { history } = useRouter()
  const { search, index } = own
  const specialities = useSpecialities(search.selectedRegion ?? region)
  const people = peopleWord(specialities.find(({ slug }) => slug === search.specialty))
  const isPoint = search.latitude !== undefined
  const where = isPoint || !search.postcode ? 'in the area you chose' : `near ${search.postcode}`
  return (
    <TextLink
      to="/results"
      search={search}
      onClick={(event) => {
        const steps = index - history.location.state.__TSR_index
        if (!isPlainPress(event) || steps >= 0) return
        event.preventDefault()
        history.go(steps)
      }}
    >
      {people} {where}
    </TextLink>
  )
}

/** The way to a profile: the person's own search, or for whoever came otherwise others close by. */
export function ProfileTrail({ profile }: { profile: ProviderProfile }) {
  const own = useOwnSearch()
  const [place] = profile.places
  const home = (
    <TextLink key="home" to="/home">
      Home
    </TextLink>
  )
  const others = place && (
    <TextLink
      key="others"
      to="/results"
      search={{
        selectedRegion: profile.region,
        postcode: place.postcode,
        specialty: profile.specialty.slug,
      }}
    >
      {profile.specialty.plural} near {place.postcode}
    </TextLink>
  )
  const results = own ? <OwnResults key="own" own={own} region={profile.region} /> : others
  return <Breadcrumb trail={results ? [home, results] : [home]} current={profile.name} />
}
