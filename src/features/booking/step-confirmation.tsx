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
  /** Asks the server again whether the code is verified. */
  onDoubt: () => void
  onBack: () => void
  /** True while a payment is in progress: going back is not possible. */
  isPaying: boolean
  /** The payment buttons; shown once the code is verified. */
  children: ReactNode
}

/** Announced once the code is verified, because the next action has just appeared below. */
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
      {/* The documented emoji is for screen readers only, as not every system can render it. */}
      <span className="sr-only"> ✅</span>
      <CircleCheck aria-hidden="true" className="size-5" />
    </p>
  )
}

/** Step 3: the emailed code, then the payment. */
export function StepConfirmation(props: StepConfirmationProps) {
  const { hold, code, onVerified, onDoubt, onBack, isPaying, children } = props
  const { data: me } = useMe()
  const [wasVerified] = useState(hold.isCodeVerified)
  const isVerified = hold.isCodeVerified
  return (
    <div className="flex flex-col gap-6">
      {!isVerified && (
        <p className="max-w-prose">
          {code.isSent ? 'We sent a code to ' : 'Confirm with the code we email to '}
          <strong className="font-semibold wrap-anywhere">{code.email}</strong>. Enter it here so
          that we know it’s you.
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
