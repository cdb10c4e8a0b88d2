import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useTimeLeft } from '#app/lib/dates/server-clock.ts'
import { describeFailure } from '#app/lib/errors.ts'
import { formatCountdown } from '#app/lib/format/dates.ts'
import { useForm } from '#app/lib/forms/use-form.ts'
import { trpc } from '#app/trpc.ts'
import { Button } from '#app/ui/button.tsx'
import { CodeInput } from '#app/ui/form-controls.tsx'
import { FormFrame } from '#app/ui/form-frame.tsx'
import { EnterProofCodeInput, type OwnProof } from '#contract/verification.ts'
import { useStoreVerification } from './verdict.ts'

type Code = NonNullable<OwnProof['code']>

/** Sends a code to the published email address: the first one, or another once the server allows it. */
function SendCode({ code, onSent }: { code: Code; onSent: () => void }) {
  const { client } = trpc.useUtils()
  const store = useStoreVerification()
  const left = useTimeLeft(code.resendAt ?? '1970-01-01T00:00:00Z')
  const sending = useMutation({
    mutationFn: () => client.verification.sendProofCode.mutate({}),
    onSuccess: (now) => {
      store(now)
      onSent()
    },
  })
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button
          variant={code.isSent ? 'secondary' : 'primary'}
          size="large"
          className="max-sm:w-full"
          disabled={left > 0}
          isBusy={sending.isPending}
          onClick={() => sending.mutate()}
        >
          {code.isSent ? 'Send a new code' : 'Send me a code'}
        </Button>
        {left > 0 && (
          <p className="text-sm text-muted">
            You can ask for a new code in{' '}
            <span className="tabular whitespace-nowrap">{formatCountdown(left)}</span>
          </p>
        )}
      </div>
      <p role="status" className="text-sm font-medium empty:hidden">
        {sending.isSuccess && code.isSent && 'A code is on its way.'}
        {sending.error && (
          <span className="text-danger">{describeFailure(sending.error).sentence}</span>
        )}
      </p>
    </div>
  )
}

function CodeForm({ onConfirmed }: { onConfirmed: () => void }) {
  const { client } = trpc.useUtils()
  const store = useStoreVerification()
  const form = useForm({
    blank: { otp: '' },
    schema: EnterProofCodeInput,
    send: (input) => client.verification.enterProofCode.mutate(input),
    onSent: (now) => {
      store(now)
      onConfirmed()
    },
    codeFields: { code_invalid: 'otp', code_locked: 'otp' },
  })
  return (
    <FormFrame form={form} label="The code we sent" failureTitle="Not confirmed">
      <CodeInput
        {...form.text('otp')}
        label="One-time code"
        hint="Six digits. It expires after ten minutes."
      />
      <div>
        <Button type="submit" size="large" isBusy={form.isBusy} className="max-sm:w-full">
          Confirm
        </Button>
      </div>
    </FormFrame>
  )
}

/** The published email address, the code sent to it, and the field to enter it. */
export function EmailCodeProof({ code, onConfirmed }: { code: Code; onConfirmed: () => void }) {
  const form = useRef<HTMLDivElement>(null)
  const [sent, setSent] = useState(0)
  useEffect(() => {
    // The pressed button is disabled for a minute. The field may appear only after the response.
    if (sent > 0 && code.isSent) form.current?.querySelector('input')?.focus()
  }, [sent, code.isSent])
  return (
    <div className="flex flex-col gap-4">
      <div>
        <h3 className="font-semibold">Get a code by email</h3>
        <p className="mt-1">
          We can send it to <strong className="wrap-anywhere">{code.email}</strong>. This address is
          published here: {code.source}.
        </p>
      </div>
      <div ref={form} className="empty:hidden">
        {code.isSent && <CodeForm onConfirmed={onConfirmed} />}
      </div>
      <SendCode code={code} onSent={() => setSent(sent + 1)} />
    </div>
  )
}
