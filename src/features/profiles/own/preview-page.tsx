import { ArrowLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { ProfilePage } from '#app/features/profiles/profile-page.tsx'
import { describeFailure } from '#app/lib/errors.ts'
import { trpc } from '#app/trpc.ts'
import { Button } from '#app/ui/button.tsx'
import { Container } from '#app/ui/container.tsx'
import { ErrorState } from '#app/ui/error-state.tsx'
import { LinkButton } from '#app/ui/link-button.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { TextLink } from '#app/ui/text-link.tsx'
import type { ProviderProfile } from '#contract/search.ts'

type PreviewPageProps = {
  /** The map of the places, from another room. */
  renderMap: (profile: ProviderProfile) => ReactNode
}

/** The provider's own page as patients see it, before and after it is public. */
export function PreviewPage({ renderMap }: PreviewPageProps) {
  const { data, error, refetch } = trpc.search.preview.useQuery()
  if (data === undefined && error) {
    const { sentence, reference } = describeFailure(error)
    return (
      <Container className="pt-8">
        <ErrorState
          title="The preview did not load"
          sentence={sentence}
          reference={reference}
          actions={<Button onClick={() => void refetch()}>Try again</Button>}
        />
      </Container>
    )
  }
  return (
    <>
      <Container className="pt-5 md:pt-8">
        <Notice title="This is how patients see you">
          <p>Choosing a time and writing to you are left out here.</p>
          <LinkButton variant="secondary" to="/doctor/profile" className="mt-3">
            <ArrowLeft aria-hidden="true" strokeWidth={1.75} className="size-5" />
            Back to editing
          </LinkButton>
        </Notice>
      </Container>
      {data === undefined ? (
        <Container className="pt-5">
          <Skeleton className="h-160" />
        </Container>
      ) : (
        <ProfilePage
          profile={data}
          distance={null}
          picker={
            <p className="text-muted">
              Patients choose one of your free times here.{' '}
              <TextLink to="/doctor/availability/all">See your availability</TextLink>
            </p>
          }
          contact={<p className="text-muted">Patients can write to you here.</p>}
          map={renderMap(data)}
        />
      )}
    </>
  )
}
