import { type ReactElement, type ReactNode, useEffect, useState } from 'react'
import { useOnline } from '#app/lib/browser-hooks.ts'
import { isSiteReachable } from '#app/lib/late-code.ts'
import { Button } from './button.tsx'
import { Notice } from './notice.tsx'

type LazyPartOptions = {
  /** Placeholder while the code loads. */
  pending: ReactNode
  /** The message shown when the code cannot be loaded. */
  lost: string
}

type LostProps = {
  sentence: string
  /** Browsers do not retry a module that failed to load: then only a reload helps. */
  needsReload: boolean
  onAsk: () => void
}

/** The message with a retry button, which does not reload the page while the site is unreachable. */
function Lost({ sentence, needsReload, onAsk }: LostProps) {
  const [isBusy, setIsBusy] = useState(false)
  const [isStillAway, setIsStillAway] = useState(false)
  const tryAgain = async () => {
    setIsBusy(true)
    setIsStillAway(false)
    const isThere = await isSiteReachable()
    setIsBusy(false)
    if (!isThere) setIsStillAway(true)
    else if (needsReload) location.reload()
    else onAsk()
  }
  return (
    <Notice className="m-4">
      <p>{sentence}</p>
      {isStillAway && <p className="mt-2">There is still no connection.</p>}
      <Button variant="secondary" className="mt-3" isBusy={isBusy} onClick={() => void tryAgain()}>
        {needsReload ? 'Reload the page' : 'Try again'}
      </Button>
    </Notice>
  )
}

type Part<Props> = (props: Props) => ReactElement | null

/**
 * A component whose code is loaded when it is first shown. Unlike with `React.lazy`, a failure is shown in
 * its place, as a message with a way to retry; offline, loading waits for the network.
 */
export function lazyPart<Props extends object>(
  load: () => Promise<Part<Props>>,
  { pending, lost }: LazyPartOptions,
): Part<Props> {
  let known: Part<Props> | null = null

  return function LatePart(props: Props) {
    const isOnline = useOnline()
    const [Part, setPart] = useState(() => known)
    const [stage, setStage] = useState<'unasked' | 'asked' | 'failed'>('unasked')

    const ask = async () => {
      setStage('asked')
      try {
        const loaded = await load()
        known = loaded
        setPart(() => loaded)
      } catch {
        setStage('failed')
      }
    }

    useEffect(() => {
      if (Part === null && isOnline) void ask()
    }, [isOnline, Part])

    if (Part !== null) return <Part {...props} />
    const isLost = stage === 'failed' || (stage === 'unasked' && !isOnline)
    return (
      <div role="status" className="h-full w-full">
        {isLost ? (
          <Lost sentence={lost} needsReload={stage === 'failed'} onAsk={() => void ask()} />
        ) : (
          pending
        )}
      </div>
    )
  }
}
