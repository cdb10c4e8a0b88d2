import { ArrowLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { ProfilePage } from '#app/features/profiles/profile-page.tsx'
import { DataBoundary } from '#app/parts/data-boundary.tsx'
import { trpc } from '#app/trpc.ts'
import { LinkButton, TextLink } from '#app/ui/button.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { Container, PendingShapes } from '#app/ui/page.tsx'
import type { ProviderProfile } from '#contract/search.ts'

type PreviewPageProps = {
  /** Renders the map of the locations, by another feature. */
  renderMap: (profile: ProviderProfile) => ReactNode
}

/** The provider's own page as patients see it, before and after it is public. */
export function PreviewPage(props: PreviewPageProps) {
  return (
    <DataBoundary
      failed="The preview didn’t load"
      renderFrame={(state) => (
        <>
          <Explanation />
          <Container className="pt-5">{state}</Container>
        </>
      )}
      pending={<PendingShapes shapes={['h-160']} />}
    >
      <Preview {...props} />
    </DataBoundary>
  )
}

function Preview({ renderMap }: PreviewPageProps) {
  const [profile] = trpc.search.preview.useSuspenseQuery()
  return (
    <>
      <Explanation />
      <ProfilePage
        profile={profile}
        distance={null}
        picker={
          <p className="text-muted">
            Patients choose one of your free times here.{' '}
            <TextLink to="/doctor/availability/all">See your availability</TextLink>
          </p>
        }
        contact={<p className="text-muted">Patients can write to you here.</p>}
        map={renderMap(profile)}
      />
    </>
  )
}

function Explanation() {
  return (
    <Container className="pt-5 md:pt-8">
      <Notice title="This is how patients see you">
        <p>The preview leaves out booking and messages.</p>
        <LinkButton variant="secondary" to="/doctor/profile" className="mt-3">
          <ArrowLeft aria-hidden="true" className="size-5" />
          Back to editing
        </LinkButton>
      </Notice>
    </Container>
  )
}
