import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { SearchX, TriangleAlert } from 'lucide-react'
import { useEffect } from 'react'
import { useOnline } from '#app/lib/browser-hooks.ts'
import { describeFailure, isChunkLoadError, reloadOnce } from '#app/lib/errors.ts'
import { MessagePage } from '#app/parts/message-page.tsx'
import { Button, LinkButton } from '#app/ui/button.tsx'
import { Container, PageTitle, Skeleton } from '#app/ui/page.tsx'

/** The page for unknown addresses. */
export function NotFoundPage() {
  return (
    <>
      <PageTitle title="Page not found" />
      <MessagePage
        icon={SearchX}
        title="Page not found"
        lead="There’s nothing at this address (404). Check it for typos. If you followed a link, it may be out of date."
        actions={
          <>
            <LinkButton to="/home">Go home</LinkButton>
            <LinkButton to="/contact-us" variant="secondary">
              Tell us about it
            </LinkButton>
          </>
        }
      />
    </>
  )
}

/** Placeholder for a page whose code or data is loading. */
export function PagePending() {
  return (
    <Container className="flex flex-col gap-4 py-12">
      <p role="status" className="sr-only">
        Loading the page
      </p>
      <Skeleton className="h-10 w-72 max-w-full" />
      <Skeleton className="h-5 w-full max-w-prose" />
      <div className="mt-4 grid gap-6 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
        <Skeleton className="h-64 rounded-card" />
        <Skeleton className="h-40 rounded-card" />
      </div>
    </Container>
  )
}

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
