import { useQueryErrorResetBoundary } from '@tanstack/react-query'
import { CatchBoundary, type ErrorComponentProps, useLocation } from '@tanstack/react-router'
import { createContext, type ReactNode, Suspense, use } from 'react'
import { describeFailure, isFailedCall } from '#app/lib/errors.ts'
import { Button } from '#app/ui/button.tsx'
import { ErrorState, LoadNotice, useRetryOnline } from '#app/ui/notice.tsx'
import { PageTitle, PendingShapes } from '#app/ui/page.tsx'
import type { Me } from '#contract/auth.ts'

type States = {
  /** Title of the error: "Your bank accounts didn’t load". */
  failed: string
  /** What surrounds the content, also while it is pending or has failed, such as the heading. */
  renderFrame?: (state: ReactNode) => ReactNode
  /** Replaces the default error state where an error has its own remedy. */
  renderFailure?: (failure: LoadFailureProps) => ReactNode
}

type DataBoundaryProps = States & {
  /** Placeholder shown while the data loads. */
  pending: ReactNode
  /** Reads with `useSuspenseQuery`. */
  children: ReactNode
}

const unframed = (state: ReactNode): ReactNode => state

const StatesContext = createContext<States | null>(null)

function Failed({ error, reset }: ErrorComponentProps) {
  const {
    failed = 'This didn’t load',
    renderFrame = unframed,
    renderFailure,
  } = use(StatesContext) ?? {}
  const queries = useQueryErrorResetBoundary()
  // Not a failed request but a bug or a missing chunk: handled by the whole page.
  if (!isFailedCall(error)) throw error
  const onRetry = () => {
    queries.reset()
    reset()
  }
  const failure = { title: failed, error, onRetry }
  return renderFrame(renderFailure ? renderFailure(failure) : <LoadFailure {...failure} />)
}

/**
 * The pending and error states of everything that shows data: `children` read by suspense query, `pending`
 * shows until they have it, and an error shows with a way on. Navigating to another address clears the error.
 */
export function DataBoundary({ pending, children, ...states }: DataBoundaryProps) {
  const href = useLocation({ select: (location) => location.href })
  const { renderFrame = unframed } = states
  return (
    <StatesContext value={states}>
      <CatchBoundary getResetKey={() => href} errorComponent={Failed}>
        <Suspense fallback={renderFrame(pending)}>{children}</Suspense>
      </CatchBoundary>
    </StatesContext>
  )
}

/** A `DataBoundary` in a dialog or a part of a page, whose failure is a notice. */
export function PartBoundary(props: Omit<DataBoundaryProps, 'renderFailure'>) {
  return <DataBoundary {...props} renderFailure={(failure) => <LoadNotice {...failure} />} />
}

type UserBoundaryProps = {
  /** `useMe()`. */
  user: { data: Me | null | undefined; error: unknown; refetch: () => unknown }
  /** Title of the error: "Your account didn’t load". */
  failed: string
  /** Title of the page if it is not there to bring its own. */
  title?: string
  pending?: ReactNode
  children: (me: Me) => ReactNode
}

/**
 * The pending and error states of the layouts around pages. They read the signed-in user by `useMe`, as they
 * show something else altogether once nobody is signed in.
 */
export function UserBoundary({ user, failed, title, pending, children }: UserBoundaryProps) {
  const { data: me, error, refetch } = user
  if (me) return <>{children(me)}</>
  if (!error) {
    return <>{pending ?? <PendingShapes shapes={['h-10 w-72 max-w-full', 'h-48', 'h-48']} />}</>
  }
  return (
    <>
      {title !== undefined && <PageTitle title={title} />}
      {title !== undefined && <h1 className="sr-only">{title}</h1>}
      <LoadFailure title={failed} error={error} onRetry={() => void refetch()} />
    </>
  )
}

export type LoadFailureProps = {
  /** "Your bank accounts didn’t load". */
  title: string
  error: unknown
  onRetry: () => void
  /** Further actions. */
  more?: ReactNode
}

/** Says why data didn’t load, with "Try again". */
export function LoadFailure({ title, error, onRetry, more }: LoadFailureProps) {
  const { sentence, reference } = describeFailure(error)
  useRetryOnline(onRetry)
  return (
    <ErrorState
      title={title}
      sentence={sentence}
      reference={reference}
      actions={
        <>
          <Button onClick={onRetry}>Try again</Button>
          {more}
        </>
      }
    />
  )
}
