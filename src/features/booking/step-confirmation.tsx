import { useMutation } from '@tanstack/react-query'
import { CircleCheck } from 'lucide-react'
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { describeFailure } from '#app/lib/errors.ts'
import { formatCountdown } from '#app/lib/format-countdown.ts'
import { useTimeLeft } from '#app/lib/use-time-left.ts'
import { MailboxLink } from '#app/parts/mailbox-link.tsx'
import { useMe } from '#app/parts/use-me.ts'
import { useApi } from '#app/trpc.ts'
import { Button } from '#app/ui/button.tsx'
import { CodeInput } from '#app/ui/code-input.tsx'
import { CODE_LENGTH } from '#contract/auth.ts'
import type { Hold } from '#contract/booking.ts'
import { sentenceFor } from '#contract/sentences.ts'
import { StepActions } from './step-actions.tsx'
import type { CodeSender } from './use-send-code.ts'

const INVALID = sentenceFor('code_invalid')
const DIGITS = /^[0-9]{6}$/

type StepConfirmationProps = {
  hold: Hold
  code: CodeSender
  onVerified: () => void
  /** Whether the code is verified is asked of the server again. */
  onDoubt: () => void
  onBack: () => void
  /** A payment is being made: there is no way back now. */
  isPaying: boolean
  /** The payment buttons; shown once the code is verified. */
  children: ReactNode
}

function Resend({ code }: { code: CodeSender }) {
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

type CheckOptions = Pick<StepConfirmationProps, 'hold' | 'onVerified' | 'onDoubt'>

function useCheckCode({ hold, onVerified, onDoubt }: CheckOptions) {
  const api = useApi()
  const [error, setError] = useState<string>()
  const checking = useMutation({
    mutationFn: (otp: string) =>
      api.auth.checkCode.mutate({ purpose: 'booking', object: hold.id, otp }),
    onSuccess: ({ status }) => {
      if (status) onVerified()
      else setError(INVALID)
    },
    onError: (failure) => setError(describeFailure(failure).sentence),
    // A code counts once: where the first answer was lost, only the hold knows that it did.
    onSettled: (answer) => {
      if (answer?.status !== true) onDoubt()
    },
  })
  const check = (otp: string) => {
    if (!DIGITS.test(otp)) setError(INVALID)
    else if (!checking.isPending) checking.mutate(otp)
  }
  return { error, clear: () => setError(undefined), check, isBusy: checking.isPending }
}

function CodeField(props: CheckOptions) {
  const { hold } = props
  const id = useId()
  const [otp, setOtp] = useState('')
  const { error, clear, check, isBusy } = useCheckCode(props)
  const isVerified = hold.isCodeVerified
  const type = (text: string) => {
    // Codes are copied with spaces around and in them.
    const typed = text.replaceAll(/\s/g, '').slice(0, CODE_LENGTH)
    setOtp(typed)
    clear()
    if (typed.length === CODE_LENGTH) check(typed)
  }
  return (
    <form
      noValidate
      aria-label="Confirm it is you"
      onSubmit={(event) => {
        event.preventDefault()
        if (!isVerified) check(otp)
      }}
    >
      <CodeInput
        id={id}
        name="otp"
        label="One-time code"
        {...(!isVerified && { hint: 'Six digits, good for ten minutes.' })}
        value={isVerified ? otp || '••••••' : otp}
        error={isVerified ? undefined : error}
        disabled={isVerified}
        aria-busy={isBusy || undefined}
        onChange={({ target }) => type(target.value)}
        onPaste={(event) => {
          event.preventDefault()
          type(event.clipboardData.getData('text'))
        }}
        onBlur={() => {
          if (otp !== '' && otp.length !== CODE_LENGTH && !isVerified) check(otp)
        }}
      />
    </form>
  )
}

/** Said when the code turns out right, and read out: what to do next has just appeared below. */
function Verified({ isNew }: { isNew: boolean }) {
  const words = useRef<HTMLParagraphElement>(null)
  useEffect(() => {
    if (isNew) words.current?.focus()
  }, [isNew])
  return (
    <p
      ref={words}
      tabIndex={-1}
      role="status"
      className="flex items-center gap-1.5 font-semibold text-ok outline-none"
    >
      Your OTP is verified
      {/* The documented mark, drawn: not every system has a picture for it. */}
      <span className="sr-only"> ✅</span>
      <CircleCheck aria-hidden="true" strokeWidth={1.75} className="size-5" />
    </p>
  )
}

/** Step 3: the code that was mailed; once it is right, the payment. */
export function StepConfirmation(props: StepConfirmationProps) {
  const { hold, code, onVerified, onDoubt, onBack, isPaying, children } = props
  const { data: me } = useMe()
  const [wasVerified] = useState(hold.isCodeVerified)
  const isVerified = hold.isCodeVerified
  return (
    <div className="flex flex-col gap-6">
      {!isVerified && (
        <p className="max-w-prose">
          {code.isSent ? 'We sent a code to ' : 'Confirm with the code we mail to '}
          <strong className="font-semibold wrap-anywhere">{code.email}</strong>. Enter it here so
          that we know it is you.
        </p>
      )}
      <CodeField hold={hold} onVerified={onVerified} onDoubt={onDoubt} />
      {isVerified ? (
        <>
          <Verified isNew={!wasVerified} />
          <div className="border-t border-line pt-6">{children}</div>
        </>
      ) : (
        <div className="flex flex-col gap-3">
          <Resend code={code} />
          {me && (
            <p>
              <MailboxLink email={me.email} />
            </p>
          )}
        </div>
      )}
      <StepActions>
        <Button variant="secondary" size="large" disabled={isPaying} onClick={onBack}>
          Back
        </Button>
      </StepActions>
    </div>
  )
}
