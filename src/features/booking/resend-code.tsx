import { useState } from 'react'
import { describeFailure } from '#app/lib/errors.ts'
import { formatCountdown } from '#app/lib/format-countdown.ts'
import { useTimeLeft } from '#app/lib/use-time-left.ts'
import { Button } from '#app/ui/button.tsx'
import type { CodeSender } from './use-send-code.ts'

/** Another code, as soon as the server lets one be asked for. */
export function ResendCode({ code }: { code: CodeSender }) {
  const left = useTimeLeft(code.resendAt ?? '1970-01-01T00:00:00Z')
  const [isAsked, setIsAsked] = useState(false)
  const { sending, isSent } = code
  return (
    <div className="flex flex-col gap-2">
      {!isSent && left > 0 && (
        <p className="max-w-prose">
          A code was mailed a moment ago, perhaps for another visit. If it does not work here, ask
          for a new one.
        </p>
      )}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button
          variant="secondary"
          disabled={left > 0}
          isBusy={sending.isPending}
          onClick={() => {
            setIsAsked(true)
            sending.mutate()
          }}
        >
          Send a new code
        </Button>
        {left > 0 && (
          <p className="text-sm text-muted">
            You can ask for a new code in{' '}
            <span className="tabular whitespace-nowrap">{formatCountdown(left)}</span>
          </p>
        )}
      </div>
      <p role="status" className="text-sm font-medium empty:hidden">
        {isAsked && sending.isSuccess && isSent && 'A new code is on its way.'}
        {isAsked && sending.error && (
          <span className="text-danger">{describeFailure(sending.error).sentence}</span>
        )}
      </p>
    </div>
  )
}
