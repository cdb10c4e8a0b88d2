import { type ReactNode, useEffect, useEffectEvent } from 'react'
import { describeFailure } from '#app/lib/errors.ts'
import { Button } from '#app/ui/button.tsx'
import { ErrorState } from '#app/ui/error-state.tsx'

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
