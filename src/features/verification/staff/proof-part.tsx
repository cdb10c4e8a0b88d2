import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { describeFailure } from '#app/lib/errors.ts'
import { formatLocalMoment } from '#app/lib/format/dates.ts'
import { useForm } from '#app/lib/forms/use-form.ts'
import { trpc } from '#app/trpc.ts'
import { Button, Summary } from '#app/ui/button.tsx'
import { TextInput } from '#app/ui/fields.tsx'
import { FormButtons, FormFrame } from '#app/ui/form-frame.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { Card } from '#app/ui/page.tsx'
import type { ProviderId } from '#contract/base/ids.ts'
import { proofLife } from '#contract/life-cycles/verification.ts'
import { OfferProofCodeInput, type StaffProof } from '#contract/verification.ts'
import type { DecideProofInput, Evidence } from '#contract/verification-staff.ts'
import { DocumentButton } from './company-part.tsx'
import { ReasonForm } from './decision-part.tsx'
import { Email, ToneText } from './profile-part.tsx'
import { proofText } from './staff-text.ts'
import { useInvalidateProvider } from './use-provider.ts'

/** The kind of proof, its status, and who decided on it. */
function Facts({ proof }: { proof: StaffProof }) {
  const { words, tone } = proofText(proof)
  const isCode = proof.kind === 'code'
  const by = proof.decidedBy ?? (isCode ? 'the provider, with the code' : 'staff')
  return (
    <div className="flex flex-col gap-1">
      <ToneText tone={tone}>
        <span className="font-semibold">{words}</span>
      </ToneText>
      {isCode && (
        <p className="wrap-anywhere">
          Code to{' '}
          <span className="font-medium">
            <Email address={proof.email} />
          </span>
          . Published: {proof.source}.
        </p>
      )}
      <p className="text-sm text-muted">
        {isCode ? `Address entered by ${proof.by ?? 'staff'}` : 'Document sent'} on{' '}
        {formatLocalMoment(proof.at)}.
        {proof.state === 'accepted' &&
          proof.decidedAt !== null &&
          ` Accepted on ${formatLocalMoment(proof.decidedAt)} by ${by}.`}
        {proof.state === 'refused' &&
          proof.decidedAt !== null &&
          ` Refused on ${formatLocalMoment(proof.decidedAt)} by ${proof.decidedBy ?? 'staff'}.`}
      </p>
      {!proof.isOfNow && (
        <p className="text-sm text-muted">It’s about a number they no longer claim.</p>
      )}
      {proof.reason !== null && (
        <p className="text-sm whitespace-pre-line">Reason: “{proof.reason}”</p>
      )}
    </div>
  )
}

type DecideProps = { proof: StaffProof; isVerified: boolean; onDone: (title: string) => void }

/** Accept or refuse a document, withdraw an email address, or revoke an accepted proof. */
function DecideProof({ proof, isVerified, onDone }: DecideProps) {
  const { client } = trpc.useUtils()
  const invalidate = useInvalidateProvider()
  const [isRefusing, setRefusing] = useState(false)
  const about = { proofId: proof.id, seen: proof.state }
  const send = async (input: DecideProofInput) => {
    try {
      const { state } = await client.verification.decideProof.mutate(input)
      setRefusing(false)
      onDone(state === 'accepted' ? 'The proof is accepted.' : 'The proof is refused.')
    } finally {
      // Also if a colleague decided first: the page is then out of date.
      await invalidate()
    }
  }
  const accept = useMutation({ mutationFn: () => send({ ...about, decision: 'accepted' }) })
  const mayAccept = proof.kind === 'document' && proofLife.may('accept', proof.state, 'staff')
  // While its provider is Verified, that has to be decided first.
  const isRelied = proof.state === 'accepted' && isVerified
  const mayRefuse = !isRelied && proofLife.may('refuse', proof.state, 'staff')
  return (
    <>
      {accept.error && (
        <Notice kind="danger" role="alert" title="Nothing was decided" className="mt-3">
          <p>{describeFailure(accept.error).sentence}</p>
        </Notice>
      )}
      <div className="mt-3 flex flex-wrap gap-3 empty:hidden">
        {mayAccept && (
          <Button isBusy={accept.isPending} onClick={() => accept.mutate()}>
            Accept as proof
          </Button>
        )}
        {mayRefuse && (
          <Button
            variant="dangerQuiet"
            aria-expanded={isRefusing}
            onClick={() => setRefusing(true)}
          >
            Refuse proof
          </Button>
        )}
      </div>
      {isRefusing && mayRefuse && (
        <ReasonForm
          label="Refuse the proof"
          field="Reason"
          hint="The provider reads this, and can send another proof."
          submit="Refuse and tell them"
          isDanger
          failureTitle="Nothing was decided"
          send={(reason) => send({ ...about, decision: 'refused', reason })}
          onCancel={() => setRefusing(false)}
        />
      )}
    </>
  )
}

type AddressFormProps = {
  providerId: ProviderId
  onSent: () => Promise<void>
  onCancel: () => void
}

/** An email address published by the register or the practice, and where it is published. */
function AddressForm({ providerId, onSent, onCancel }: AddressFormProps) {
  const { client } = trpc.useUtils()
  const form = useForm({
    blank: { email: '', source: '' },
    schema: OfferProofCodeInput,
    toInput: (values) => ({ ...values, providerId }),
    send: (input) => client.verification.offerProofCode.mutate(input),
    onSent,
  })
  return (
    <FormFrame
      form={form}
      label="Code to a published address"
      failureTitle="The address wasn’t saved"
      className="mt-4 gap-4! border-t border-line pt-4"
    >
      <TextInput
        {...form.text('email')}
        label="Published email address"
        hint="Not the address of their account, unless that is the published one."
        inputMode="email"
        autoComplete="off"
        spellCheck={false}
        // Opened by a press: the user wants to type here.
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus
      />
      <TextInput
        {...form.text('source')}
        label="Where it’s published"
        hint="For example: website of the practice. The provider reads this."
        autoComplete="off"
      />
      <FormButtons send="Save and tell them" isBusy={form.isBusy} onCancel={onCancel} />
    </FormFrame>
  )
}

function proofStatus({ isProven, state, proofs }: Evidence): string | null {
  if (isProven) return null
  if (state === 'verified') return 'No proof on record.'
  return proofs.some((one) => one.state === 'waiting')
    ? 'They can’t become Verified until one proof is accepted.'
    : 'No proof yet. They can send a document, or you can enter an address we can send a code to.'
}

type ProofPartProps = { providerId: ProviderId; evidence: Evidence }

/** Proofs that the provider is the person in the register: each with its status, and how to add one. */
export function ProofPart({ providerId, evidence }: ProofPartProps) {
  const invalidate = useInvalidateProvider()
  const [isOpen, setIsOpen] = useState(false)
  const [done, setDone] = useState<string | null>(null)
  const result = useRef<HTMLDivElement>(null)
  const opener = useRef<HTMLButtonElement>(null)
  const { proofs, state } = evidence
  const isVerified = state === 'verified'
  const finish = (title: string) => {
    setDone(title)
    setIsOpen(false)
    requestAnimationFrame(() => result.current?.focus())
  }
  const shown = proofs.filter((one) => one.state === 'waiting' || one.state === 'accepted')
  const before = proofs.filter((one) => !shown.includes(one))
  const lead = proofStatus(evidence)
  return (
    <Card>
      <section aria-labelledby="registrant">
        <h2 id="registrant" className="text-xl font-semibold">
          Proof that they’re the registrant
        </h2>
        {lead !== null && <p className="mt-1 text-muted">{lead}</p>}
        <div ref={result} tabIndex={-1} className="mt-3 rounded-field empty:hidden">
          {done !== null && <Notice kind="ok" role="status" title={done} />}
        </div>
        {shown.length > 0 && (
          <ul className="mt-3 flex flex-col gap-5">
            {shown.map((proof) => (
              <li key={proof.id}>
                <Facts proof={proof} />
                {proof.documentId !== null && proof.document !== null && (
                  <DocumentButton
                    sent={{ documentId: proof.documentId, document: proof.document }}
                  />
                )}
                <DecideProof proof={proof} isVerified={isVerified} onDone={finish} />
              </li>
            ))}
          </ul>
        )}
        {!evidence.isProven && (
          <div className="mt-4">
            <Button
              ref={opener}
              variant="secondary"
              aria-expanded={isOpen}
              onClick={() => {
                setDone(null)
                setIsOpen(true)
              }}
            >
              Use a published address
            </Button>
          </div>
        )}
        {isOpen && !evidence.isProven && (
          <AddressForm
            providerId={providerId}
            onSent={async () => {
              await invalidate()
              finish('We’ve told the provider how to get the code.')
            }}
            onCancel={() => {
              setIsOpen(false)
              // The form that has focus goes away.
              opener.current?.focus()
            }}
          />
        )}
        {before.length > 0 && (
          <details className="mt-4 border-t border-line pt-3">
            <Summary>Earlier proofs ({before.length})</Summary>
            <ul className="mt-2 flex flex-col gap-4">
              {before.map((proof) => (
                <li key={proof.id}>
                  <Facts proof={proof} />
                </li>
              ))}
            </ul>
          </details>
        )}
      </section>
    </Card>
  )
}
