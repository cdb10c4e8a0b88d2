import { useMutation } from '@tanstack/react-query'
import { useId, useRef, useState } from 'react'
import * as z from 'zod/mini'
import { serverNow, useTimeLeft } from '#app/lib/dates/server-clock.ts'
import { describeFailure } from '#app/lib/errors.ts'
import { formatCountdown } from '#app/lib/format/dates.ts'
import { readStored, writeStored } from '#app/lib/storage.ts'
import { useMe } from '#app/parts/use-me.ts'
import { trpc } from '#app/trpc.ts'
import { Button } from '#app/ui/button.tsx'
import { CodeInput } from '#app/ui/form-controls.tsx'
import { CODE_LENGTH } from '#contract/auth-codes.ts'
import { errorMessage } from '#contract/base/sentences.ts'
import { IsoInstant, toIso } from '#contract/base/time.ts'
import type { Hold } from '#contract/booking.ts'

const INVALID = errorMessage('code_invalid')
const DIGITS = /^[0-9]{6}$/

type CodeFieldProps = {
  hold: Hold
  onVerified: () => void
  /** Asks the server again whether the code is verified. */
  onDoubt: () => void
}

function useCheckCode({ hold, onVerified, onDoubt }: CodeFieldProps) {
  const [error, setError] = useState<string>()
  /** The last code to check, perhaps typed while another one was being checked. */
  const newest = useRef('')
  const checking = trpc.auth.checkCode.useMutation({
    onSuccess: ({ status }, { otp }) => {
      if (status) onVerified()
      else if (otp === newest.current) setError(INVALID)
    },
    onError: (failure) => setError(describeFailure(failure).sentence),
    // Codes are single-use: if the response was lost, only the hold shows that the code was accepted.
    onSettled: (answer, _error, { otp }) => {
      if (answer?.status === true) return
      onDoubt()
      // Corrected while the check was on its way.
      if (answer !== undefined && newest.current !== otp && DIGITS.test(newest.current))
        send(newest.current)
    },
  })
  const send = (otp: string) => checking.mutate({ purpose: 'booking', object: hold.id, otp })
  const check = (otp: string) => {
    newest.current = otp
    if (!DIGITS.test(otp)) setError(INVALID)
    else if (!checking.isPending) send(otp)
  }
  return { error, clear: () => setError(undefined), check, isBusy: checking.isPending }
}

/** Input for the emailed code: checked once complete, and disabled once verified. */
export function CodeField(props: CodeFieldProps) {
  const { hold } = props
  const id = useId()
  const [otp, setOtp] = useState('')
  const { error, clear, check, isBusy } = useCheckCode(props)
  const isVerified = hold.isCodeVerified
  const type = (text: string) => {
    // Pasted codes may contain spaces.
    const typed = text.replaceAll(/\s/g, '').slice(0, CODE_LENGTH)
    setOtp(typed)
    clear()
    if (typed.length === CODE_LENGTH) check(typed)
  }
  return (
    <form
      noValidate
      aria-label="Confirm it’s you"
      onSubmit={(event) => {
        event.preventDefault()
        if (!isVerified) check(otp)
      }}
    >
      <CodeInput
        id={id}
        name="otp"
        label="One-time code"
        {...(!isVerified && { hint: 'Six digits. It expires after 10 minutes.' })}
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

/** Requests another code, once the server allows it. */
export function ResendCode({ code }: { code: CodeSender }) {
  const left = useTimeLeft(code.resendAt ?? '1970-01-01T00:00:00Z')
  const [isAsked, setIsAsked] = useState(false)
  const { sending, isSent } = code
  return (
    <div className="flex flex-col gap-2">
      {!isSent && left > 0 && (
        <p className="max-w-prose">
          We emailed you a code a moment ago, perhaps for another visit. If it doesn’t work here,
          ask for a new one.
        </p>
      )}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button
          variant="secondary"
          disabled={left > 0 || sending.isPending}
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

const KEY = 'bookingCode'

const SentCode = z.object({
  holdId: z.string(),
  /** Already masked by the server. */
  email: z.string(),
  resendAt: IsoInstant,
  /** False if the server only reported a recent code, perhaps for another visit. */
  isSent: z.boolean(),
})
export type SentCode = z.infer<typeof SentCode>

/** Stores in this tab where a code was sent and when another may be requested, for a reload. */
function storeSentCode(code: SentCode): void {
  writeStored(KEY, JSON.stringify(code), 'session')
}

/** The stored record of the code sent for a hold; null if this tab sent none. */
function readSentCode(holdId: string): SentCode | null {
  try {
    const known = SentCode.parse(JSON.parse(readStored(KEY, 'session') ?? 'null'))
    return known.holdId === holdId ? known : null
  } catch {
    return null
  }
}

/** Masks like the server: every character after the first two becomes an x. */
function mask(email: string): string {
  return email.slice(0, 2) + 'x'.repeat(Math.max(0, email.length - 2))
}

/**
 * Emails the one-time code of a hold. If requested too soon, it stores when the next request is allowed:
 * either a code has arrived already, or the button requests one.
 */
export function useSendCode(holdId: string) {
  const { client } = trpc.useUtils()
  const { data: me } = useMe()
  const [sent, setSent] = useState<SentCode | null>(() => readSentCode(holdId))
  const email = sent?.email ?? mask(me?.email ?? '')
  const note = (code: Omit<SentCode, 'holdId'>) => {
    const known = { holdId, ...code }
    storeSentCode(known)
    setSent(known)
  }
  const sending = useMutation({
    mutationFn: async () => {
      try {
        const answer = await client.auth.sendCode.mutate({ purpose: 'booking', object: holdId })
        note({ ...answer, isSent: true })
      } catch (error) {
        const { retryAfter } = describeFailure(error)
        if (retryAfter === null) throw error
        const resendAt = toIso(serverNow() + retryAfter * 1_000)
        note({ email, resendAt, isSent: sent?.isSent ?? false })
      }
    },
  })
  return { email, resendAt: sent?.resendAt, isSent: sent?.isSent ?? false, sending }
}

export type CodeSender = ReturnType<typeof useSendCode>
