import { describeFailure } from '#app/lib/errors.ts'
import { Notice } from '#app/ui/notice.tsx'

/** Says why something did not happen; nothing while there is no error. */
export function FailureNotice({ error, title }: { error: unknown; title: string }) {
  if (!error) return null
  const { sentence, reference } = describeFailure(error)
  return (
    <Notice kind="danger" role="alert" title={title}>
      <p>{sentence}</p>
      {reference && <p className="text-sm text-muted">Reference: {reference}</p>}
    </Notice>
  )
}
