import { useEffect, useRef } from 'react'
import type { Failure } from '#app/lib/errors.ts'
import { Notice } from '#app/ui/notice.tsx'

type NotSavedProps = {
  /** The documented words: 'Failed to add user.' */
  title: string
  /** Null where the fields themselves say what is wrong. */
  failure: Failure | null
}

/** What went wrong, inside the form; takes focus, so that it is read out. */
export function NotSaved({ title, failure }: NotSavedProps) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => box.current?.focus(), [])
  return (
    <div ref={box} tabIndex={-1} className="rounded-field">
      <Notice kind="danger" role="alert" title={title}>
        {failure && <p>{failure.sentence}</p>}
        {failure?.reference && <p className="text-sm text-muted">Reference: {failure.reference}</p>}
      </Notice>
    </div>
  )
}
