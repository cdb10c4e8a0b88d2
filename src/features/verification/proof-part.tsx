import { useMutation } from '@tanstack/react-query'
import { CircleCheck } from 'lucide-react'
import { useState } from 'react'
import { describeFailure } from '#app/lib/errors.ts'
import { formatCountdown, formatFullDate } from '#app/lib/format.ts'
import { useTimeLeft } from '#app/lib/server-clock.ts'
import { useForm } from '#app/lib/use-form.ts'
import { trpc } from '#app/trpc.ts'
import { Button } from '#app/ui/button.tsx'
import { CodeInput } from '#app/ui/code-input.tsx'
import { FormFrame } from '#app/ui/form-frame.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { type OwnVerification, SendProofInput } from '#contract/verification.ts'
import { EnterProofCodeInput, type OwnProof } from '#contract/verification-proof.ts'
import { DocumentField } from './document-field.tsx'
import { useStoreVerification } from './verdict.ts'

type Code = NonNullable<OwnProof['code']>

/** Sends a code to the published email address: the first one, or another once the server allows it. */
function SendCode({ code }: { code: Code }) {
  const { client } = trpc.useUtils()
  const store = useStoreVerification()
  const left = useTimeLeft(code.resendAt ?? '1970-01-01T00:00:00Z')
  const sending = useMutation({
    mutationFn: () => client.verification.sendProofCode.mutate({}),
    onSuccess: store,
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

function CodeForm() {
  const { client } = trpc.useUtils()
  const store = useStoreVerification()
  const form = useForm({
    blank: { otp: '' },
    schema: EnterProofCodeInput,
    send: (input) => client.verification.enterProofCode.mutate(input),
    onSent: store,
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
function EmailCodeProof({ code }: { code: Code }) {
  return (
    <div className="flex flex-col gap-4">
      <div>
        <h3 className="font-semibold">Get a code by email</h3>
        <p className="mt-1">
          We can send it to <strong className="wrap-anywhere">{code.email}</strong>. This address is
          published here: {code.source}.
        </p>
      </div>
      {code.isSent && <CodeForm />}
      <SendCode code={code} />
    </div>
  )
}

type DocumentFormProps = { onSent: () => void }

function DocumentForm({ onSent }: DocumentFormProps) {
  const { client } = trpc.useUtils()
  const store = useStoreVerification()
  const form = useForm({
    blank: { document: '' },
    schema: SendProofInput,
    send: (input) => client.verification.sendProof.mutate(input),
    onSent: (now) => {
      store(now)
      onSent()
    },
    codeFields: { not_found: 'document' },
  })
  return (
    <FormFrame form={form} label="Your proof" failureTitle="Not sent">
      <DocumentField
        id={`${form.id}-document`}
        error={form.errors['document']}
        onDocument={(document) => form.set('document', document)}
        what="A photo ID, or the certificate of your registration."
      />
      <div>
        <Button
          type="submit"
          variant="secondary"
          size="large"
          isBusy={form.isBusy}
          className="max-sm:w-full"
        >
          Send document
        </Button>
      </div>
    </FormFrame>
  )
}

type DocumentProofProps = { verification: OwnVerification }

/** Proof by document: the status of the one sent, and the form to send one. */
function DocumentProof({ verification }: DocumentProofProps) {
  const { proof, provider, asked } = verification
  const [isOpen, setIsOpen] = useState(false)
  const { document, code } = proof
  const isWaiting = document?.state === 'waiting'
  return (
    <div className="flex flex-col gap-4">
      {code !== null && <h3 className="font-semibold">Or send a document</h3>}
      {document !== null && (
        <Notice
          kind={isWaiting ? 'info' : 'warn'}
          role="status"
          title={isWaiting ? 'We have your document' : 'We couldn’t accept your document'}
        >
          <p className="whitespace-pre-line">
            {isWaiting
              ? `You sent it on ${formatFullDate(document.sentAt.slice(0, 10), provider.region)}. We’ll look at it when we review your registration.`
              : document.reason}
          </p>
        </Notice>
      )}
      {asked?.about === 'registration' ? (
        <p>You can add it to your answer above.</p>
      ) : isWaiting && !isOpen ? (
        <div>
          <Button variant="quiet" onClick={() => setIsOpen(true)}>
            Send another document
          </Button>
        </div>
      ) : (
        <DocumentForm onSent={() => setIsOpen(false)} />
      )}
    </div>
  )
}

/** Asks a provider for one proof that they are the person in the register; nothing if none is needed. */
export function ProofPart({ verification }: { verification: OwnVerification }) {
  const { proof, state } = verification
  // Verified providers see this only if staff have entered an address or refused a document.
  if (state === 'verified' && proof.code === null && proof.document === null) return null
  return (
    <section aria-labelledby="proof" className="flex flex-col gap-4 border-t border-line pt-6">
      <h2 id="proof" className="text-lg font-semibold">
        Show us that it’s you
      </h2>
      {proof.acceptedAt === null ? (
        <>
          <p>
            Anyone can read names and numbers in the register. So before we verify you, we need one
            proof that you’re the person it names.
          </p>
          {proof.code && <EmailCodeProof code={proof.code} />}
          <DocumentProof verification={verification} />
        </>
      ) : (
        <p role="status" className="flex gap-2">
          <CircleCheck aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-ok" />
          We know that you’re the person the register names. There’s nothing else to send.
        </p>
      )}
    </section>
  )
}
