import { useId, useState } from 'react'
import { describeFailure } from '#app/lib/errors.ts'
import { trpc } from '#app/trpc.ts'
import { CodeInput } from '#app/ui/code-input.tsx'
import { CODE_LENGTH } from '#contract/auth.ts'
import type { Hold } from '#contract/booking.ts'
import { sentenceFor } from '#contract/sentences.ts'

const INVALID = sentenceFor('code_invalid')
const DIGITS = /^[0-9]{6}$/

type CodeFieldProps = {
  hold: Hold
  onVerified: () => void
  /** Whether the code is verified is asked of the server again. */
  onDoubt: () => void
}

function useCheckCode({ hold, onVerified, onDoubt }: CodeFieldProps) {
  const [error, setError] = useState<string>()
  const checking = trpc.auth.checkCode.useMutation({
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
    else if (!checking.isPending) checking.mutate({ purpose: 'booking', object: hold.id, otp })
  }
  return { error, clear: () => setError(undefined), check, isBusy: checking.isPending }
}

/** The code that was mailed: checked as soon as it is whole, and closed once it was right. */
export function CodeField(props: CodeFieldProps) {
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
