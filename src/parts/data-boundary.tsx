import { useQueryErrorResetBoundary } from '@tanstack/react-query'
import { CatchBoundary, type ErrorComponentProps, useLocation } from '@tanstack/react-router'
import { TRPCClientError } from '@trpc/client'
import { createContext, type ReactNode, Suspense, use, useEffect, useEffectEvent } from 'react'
import { describeFailure } from '#app/lib/errors.ts'
import { Button } from '#app/ui/button.tsx'
import { ErrorState } from '#app/ui/empty-state.tsx'

type States = {
  /** What failed, as a title: "Your bank accounts did not load". */
  failed: string
  /** What is around the content also while it is on its way or has failed, such as the heading. */
  renderFrame?: (state: ReactNode) => ReactNode
  /** In place of the usual failed state, where a failure has a way out of its own. */
  renderFailure?: (failure: LoadFailureProps) => ReactNode
}

type DataBoundaryProps = States & {
  /** The content in grey. */
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
  // A defect, or code that is gone: the whole page says so.
  if (!(error instanceof TRPCClientError)) throw error
  const onRetry = () => {
    queries.reset()
    reset()
  }
  const failure = { title: failed, error, onRetry }
  return renderFrame(renderFailure ? renderFailure(failure) : <LoadFailure {...failure} />)
}

/**
 * The pending and the failed state of everything that shows data: `children` read by suspense query,
 * `pending` stands in until they have it, and a failure is said with a way on. Going to another
 * address forgets the failure.
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

export type LoadFailureProps = {
  /** "Your bank accounts did not load". */
  title: string
  error: unknown
  onRetry: () => void
  /** Other ways on. */
  more?: ReactNode
}

/** Data did not load: why, and "Try again". What failed offline is asked for again by itself. */
export function LoadFailure({ title, error, onRetry, more }: LoadFailureProps) {
  const { sentence, reference } = describeFailure(error)
  const retry = useEffectEvent(onRetry)
  useEffect(() => {
    const again = () => retry()
    addEventListener('online', again)
    return () => removeEventListener('online', again)
  }, [])
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
