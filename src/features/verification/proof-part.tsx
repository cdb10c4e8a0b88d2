import { CircleCheck } from 'lucide-react'
import { useRef, useState } from 'react'
import { formatFullDate } from '#app/lib/format/dates.ts'
import { useForm } from '#app/lib/forms/use-form.ts'
import { trpc } from '#app/trpc.ts'
import { Button } from '#app/ui/button.tsx'
import { FormFrame } from '#app/ui/form-frame.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { type OwnVerification, SendProofInput } from '#contract/verification.ts'
import { DocumentField } from './document-field.tsx'
import { EmailCodeProof } from './email-code-proof.tsx'
import { useStoreVerification } from './verdict.ts'

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

type DocumentProofProps = { verification: OwnVerification; onSent: () => void }

/** Proof by document: the status of the one sent, and the form to send one. */
function DocumentProof({ verification, onSent }: DocumentProofProps) {
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
        <DocumentForm
          onSent={() => {
            setIsOpen(false)
            onSent()
          }}
        />
      )}
    </div>
  )
}

/** Asks a provider for one proof that they are the person in the register; nothing if none is needed. */
export function ProofPart({ verification }: { verification: OwnVerification }) {
  const { proof, state } = verification
  const heading = useRef<HTMLHeadingElement>(null)
  // The form that has focus goes away.
  const focusHeading = () => requestAnimationFrame(() => heading.current?.focus())
  // Verified providers see this only if staff have entered an address or refused a document.
  if (state === 'verified' && proof.code === null && proof.document === null) return null
  return (
    <section aria-labelledby="proof" className="flex flex-col gap-4 border-t border-line pt-6">
      <h2 ref={heading} tabIndex={-1} id="proof" className="text-lg font-semibold">
        Show us that it’s you
      </h2>
      {proof.acceptedAt === null ? (
        <>
          <p>
            Anyone can read names and numbers in the register. So before we verify you, we need one
            proof that you’re the person it names.
          </p>
          {proof.code && <EmailCodeProof code={proof.code} onConfirmed={focusHeading} />}
          <DocumentProof verification={verification} onSent={focusHeading} />
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
