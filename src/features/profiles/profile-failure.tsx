import type { Failure } from '#app/lib/errors.ts'
import { Button } from '#app/ui/button.tsx'
import { Container } from '#app/ui/container.tsx'
import { ErrorState } from '#app/ui/error-state.tsx'
import { LinkButton } from '#app/ui/link-button.tsx'
import { PageTitle } from '#app/ui/page-title.tsx'

/** The profile could not be fetched: try again, or go elsewhere. */
export function ProfileFailure({ failure, onRetry }: { failure: Failure; onRetry: () => void }) {
  return (
    <Container className="py-10">
      <PageTitle title="Provider" />
      <h1 className="mb-6 text-2xl font-semibold">Provider</h1>
      <ErrorState
        title="We could not load this profile"
        sentence={failure.sentence}
        reference={failure.reference}
        actions={
          <>
            <Button onClick={onRetry}>Try again</Button>
            <LinkButton to="/home" variant="secondary">
              Go home
            </LinkButton>
          </>
        }
      />
    </Container>
  )
}
