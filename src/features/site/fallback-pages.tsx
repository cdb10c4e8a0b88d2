import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { SearchX, TriangleAlert, WifiOff } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useOnline } from '#app/lib/browser-hooks.ts'
import { describeFailure } from '#app/lib/errors.ts'
import { isChunkLoadError, isSiteReachable, reloadOnce, whenReachable } from '#app/lib/late-code.ts'
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

/** The router's default error page. Code that cannot be fetched is no error while the site is away. */
export function UnexpectedErrorPage(props: ErrorComponentProps) {
  const { error } = props
  return isChunkLoadError(error) ? (
    <LostCodePage {...props} error={error} />
  ) : (
    <ErrorPage {...props} />
  )
}

/** Waits until the site responds, and then reloads: only a full page load brings the code, or that of a new release. */
function LostCodePage(props: ErrorComponentProps & { error: Error }) {
  const { error } = props
  const isOnline = useOnline()
  const [state, setState] = useState<'asking' | 'away' | 'lost'>('asking')
  useEffect(() => {
    let isCurrent = true
    const ask = async () => {
      const isThere = isOnline && (await isSiteReachable())
      if (!isThere && isCurrent) setState('away')
      await whenReachable()
      if (isCurrent && !reloadOnce(error)) setState('lost')
    }
    void ask()
    return () => {
      isCurrent = false
    }
  }, [isOnline, error])
  if (state === 'asking') return <PagePending />
  if (state === 'lost') return <ErrorPage {...props} />
  return (
    <div role="alert" className="flex flex-1 flex-col">
      <PageTitle title="No connection" />
      <MessagePage
        icon={WifiOff}
        title="This page hasn’t loaded yet"
        lead={<p>You’re offline. It loads by itself once you’re back.</p>}
        actions={<LinkButton to="/home">Go home</LinkButton>}
      />
    </div>
  )
}

/** A sentence that says what happened, and two ways out. */
function ErrorPage({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  // Rendered again whenever the network goes down or comes back.
  useOnline()
  const failure = describeFailure(error)
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
