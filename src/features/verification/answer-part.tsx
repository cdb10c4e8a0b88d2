import { formatFullDate } from '#app/lib/format.ts'
import { useForm } from '#app/lib/use-form.ts'
import { trpc } from '#app/trpc.ts'
import { Button, LinkButton } from '#app/ui/button.tsx'
import { FormFrame } from '#app/ui/form-frame.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { TextArea } from '#app/ui/text-area.tsx'
import { AnswerInput, type OwnVerification, type RequestAbout } from '#contract/verification.ts'
import { DocumentField } from './document-field.tsx'
import { useStoreVerification } from './verdict.ts'

type AnswerPartProps = { verification: OwnVerification; about: RequestAbout }

/** What staff asked for on this page, and the form to answer it: a text, with a document if needed. */
export function AnswerPart({ verification, about }: AnswerPartProps) {
  const { asked, answeredAt, provider } = verification
  if (asked === null) {
    return answeredAt === null ? null : (
      <Notice kind="info" role="status" title="We have your answer">
        <p>
          You answered on {formatFullDate(answeredAt.slice(0, 10), provider.region)}. We’ll email
          you our decision.
        </p>
      </Notice>
    )
  }
  if (asked.about !== about) {
    const isCompany = asked.about === 'company'
    return (
      <p>
        <LinkButton to={isCompany ? '/company-verify' : '/provider-verify'} variant="secondary">
          {isCompany ? 'Answer on your company page' : 'Answer what our staff asked'}
        </LinkButton>
      </p>
    )
  }
  return <AnswerForm asked={asked} isTold={about === 'registration'} />
}

type AnswerFormProps = { asked: NonNullable<OwnVerification['asked']>; isTold: boolean }

function AnswerForm({ asked, isTold }: AnswerFormProps) {
  const { client } = trpc.useUtils()
  const store = useStoreVerification()
  const form = useForm({
    blank: { answer: '', document: '' },
    schema: AnswerInput,
    send: (input) => client.verification.answer.mutate(input),
    onSent: store,
    codeFields: { not_found: 'document' },
  })
  return (
    <>
      {/* The registration page's notice above says it already. */}
      {!isTold && (
        <Notice kind="warn" title="Our staff need something from you">
          <p className="whitespace-pre-line">{asked.what}</p>
        </Notice>
      )}
      <FormFrame form={form} label="Your answer" failureTitle="Not sent">
        <TextArea
          label="Your answer"
          hint="Our staff read this. Patients never see it."
          rows={4}
          {...form.text('answer')}
        />
        <DocumentField
          id={`${form.id}-document`}
          error={form.errors['document']}
          onDocument={(document) => form.set('document', document)}
          what="Only needed if we asked for one."
        />
        <div>
          <Button type="submit" size="large" isBusy={form.isBusy} className="max-sm:w-full">
            Send answer
          </Button>
        </div>
      </FormFrame>
    </>
  )
}
