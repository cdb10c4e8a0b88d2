import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useOnline } from '#app/lib/browser-hooks.ts'
import { describeFailure } from '#app/lib/errors.ts'
import { isLostCode, reloadOnce } from '#app/lib/lost-code.ts'
import { Button, LinkButton } from '#app/ui/button.tsx'
import { Container } from '#app/ui/card.tsx'
import { PageTitle } from '#app/ui/page-title.tsx'

/** The default router error screen, with a sentence and two ways out. */
export function UnexpectedErrorPage({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  // Looked at again whenever the network goes or comes back.
  const isOnline = useOnline()
  const failure = describeFailure(error)
  useEffect(() => {
    if (isOnline && isLostCode(error)) reloadOnce(error)
  }, [isOnline, error])
  const retry = () => {
    // New code cannot be fetched piecemeal: only a full load brings the matching parts.
    if (failure.code === 'outdated') location.reload()
    reset()
    void router.invalidate()
  }
  return (
    <Container className="py-18">
      <PageTitle title="Unexpected Application Error!" />
      <div role="alert">
        <h1 className="text-3xl font-semibold">Unexpected Application Error!</h1>
        <p className="mt-4 max-w-prose text-lg text-muted">{failure.sentence}</p>
        {failure.reference && (
          <p className="mt-2 text-muted">
            Reference: <span className="tabular select-all">{failure.reference}</span>
          </p>
        )}
      </div>
      <div className="mt-8 flex flex-wrap gap-3">
        <Button onClick={retry}>Try again</Button>
        <LinkButton to="/home" variant="secondary">
          Go home
        </LinkButton>
      </div>
    </Container>
  )
}
