import { lazy, Suspense } from 'react'
import { type Failure } from '#app/lib/errors.ts'
import { Button } from '#app/ui/button.tsx'
import { ErrorState } from '#app/ui/error-state.tsx'
import { type Region, regionFacts } from '#contract/region.ts'

const ProvePerson = lazy(async () => ({
  default: (await import('#app/parts/prove-person.tsx')).ProvePerson,
}))

type ResultsErrorProps = {
  failure: Failure
  region: Region
  onSwitchRegion: () => void
  onRetry: () => void
  onEdit: () => void
  onAnySpecialty: () => void
}

const PLACE_CODES = new Set<Failure['code']>([
  'place_in_other_region',
  'place_missing',
  'place_invalid',
  'postcode_unknown',
  'place_unknown',
  'postcode_without_place',
  'postcode_military',
])

/** Whether another place would help, so that the form matters more than the filters. */
export function isAboutPlace(failure: Failure): boolean {
  return PLACE_CODES.has(failure.code)
}

/** Why there are no results, in words, with the step that gets there. The form stays above. */
export function ResultsError(props: ResultsErrorProps) {
  const { failure, region, onSwitchRegion, onRetry, onEdit, onAnySpecialty } = props
  const shared = { sentence: failure.sentence, reference: null }
  if (failure.code === 'captcha_required') {
    return (
      <Suspense fallback={null}>
        <ProvePerson onProved={onRetry} />
      </Suspense>
    )
  }
  if (failure.code === 'place_in_other_region') {
    const { label } = regionFacts[regionFacts[region].other]
    return (
      <ErrorState
        {...shared}
        title={`That place is in the ${label}`}
        actions={<Button onClick={onSwitchRegion}>Search in the {label}</Button>}
      />
    )
  }
  if (isAboutPlace(failure)) {
    return (
      <ErrorState
        {...shared}
        title="We could not find that place"
        actions={<Button onClick={onEdit}>Change the place</Button>}
      />
    )
  }
  return (
    <ErrorState
      title={failure.code === 'offline' ? 'You are offline' : 'The search did not work'}
      sentence={failure.sentence}
      reference={failure.reference}
      actions={
        failure.code === 'specialty_unknown' ? (
          <Button onClick={onAnySpecialty}>Look at all specialties</Button>
        ) : (
          <Button onClick={onRetry}>Try again</Button>
        )
      }
    />
  )
}
