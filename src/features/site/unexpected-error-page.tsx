import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { TriangleAlert } from 'lucide-react'
import { useEffect } from 'react'
import { useOnline } from '#app/lib/browser-hooks.ts'
import { isChunkLoadError, reloadOnce } from '#app/lib/chunk-errors.ts'
import { describeFailure } from '#app/lib/errors.ts'
import { MessagePage } from '#app/parts/message-page.tsx'
import { Button, LinkButton } from '#app/ui/button.tsx'
import { PageTitle } from '#app/ui/page-title.tsx'

/** The router's default error page, with a sentence and two ways out. */
export function UnexpectedErrorPage({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  // Rendered again whenever the network goes down or comes back.
  const isOnline = useOnline()
  const failure = describeFailure(error)
  useEffect(() => {
    if (isOnline && isChunkLoadError(error)) reloadOnce(error)
  }, [isOnline, error])
  const retry = () => {
    // After a deployment, only a full page load brings chunks that match.
    if (failure.code === 'outdated') location.reload()
    reset()
    void router.invalidate()
  }
  return (
    <div role="alert" className="flex flex-1 flex-col">
      <PageTitle title="Unexpected Application Error!" />
      <MessagePage
        icon={TriangleAlert}
        tone="accent"
        title="Unexpected Application Error!"
        lead={
          <>
            <p>{failure.sentence}</p>
            {failure.reference && (
              <p className="mt-2 text-base">
                Reference: <span className="tabular select-all">{failure.reference}</span>
              </p>
            )}
          </>
        }
        actions={
          <>
            <Button onClick={retry}>Try again</Button>
            <LinkButton to="/home" variant="secondary">
              Go home
            </LinkButton>
          </>
        }
      />
    </div>
  )
}
