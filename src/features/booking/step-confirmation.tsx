import { CircleCheck } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { MailboxLink } from '#app/parts/mailbox-link.tsx'
import { useMe } from '#app/parts/use-me.ts'
import { Button } from '#app/ui/button.tsx'
import type { Hold } from '#contract/booking.ts'
import { CodeField, type CodeSender, ResendCode } from './code-field.tsx'
import { StepActions } from './step-frame.tsx'

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
      <CircleCheck aria-hidden="true" className="size-5" />
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
          <ResendCode code={code} />
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
