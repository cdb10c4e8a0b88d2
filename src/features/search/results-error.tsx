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

/** Whether another place would help, so that the form matters more than the filters. */
export function isAboutPlace(failure: Failure): boolean {
  return /^(place|postcode)_/.test(failure.code)
}

/** Why there are no results, in words, with the step that gets there. The form stays above. */
export function ResultsError(props: ResultsErrorProps) {
  const { failure, region, onSwitchRegion, onRetry, onEdit, onAnySpecialty } = props
  // Only what is our fault has a reference to quote.
  const { sentence, reference } = failure
  const shared = { sentence, reference }
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
      {...shared}
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
