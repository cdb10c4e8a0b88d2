import { describeFailure } from '#app/lib/errors.ts'
import { LoadFailure, type LoadFailureProps } from '#app/parts/load-failure.tsx'
import { Container } from '#app/ui/container.tsx'
import { LinkButton } from '#app/ui/link-button.tsx'
import { PageTitle } from '#app/ui/page-title.tsx'
import type { Region } from '#contract/region.ts'
import { ProfileMissing } from './profile-missing.tsx'

type ProfileFailureProps = LoadFailureProps & { region: Region }

/** The provider is not there, or could not be fetched: try again, or go elsewhere. */
export function ProfileFailure({ region, ...failure }: ProfileFailureProps) {
  if (describeFailure(failure.error).code === 'provider_not_found') {
    return <ProfileMissing region={region} />
  }
  return (
    <Container className="py-10">
      <PageTitle title="Provider" />
      <h1 className="mb-6 text-2xl font-semibold">Provider</h1>
      <LoadFailure
        {...failure}
        more={
          <LinkButton to="/home" variant="secondary">
            Go home
          </LinkButton>
        }
      />
    </Container>
  )
}
