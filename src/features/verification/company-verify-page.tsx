import { useRef } from 'react'
import { formatFullDate } from '#app/lib/format/dates.ts'
import { useForm } from '#app/lib/forms/use-form.ts'
import { DataBoundary } from '#app/parts/data-boundary.tsx'
import { sizeText } from '#app/parts/file-field.tsx'
import { trpc } from '#app/trpc.ts'
import { Button, LinkButton, TextLink } from '#app/ui/button.tsx'
import { TextArea, TextInput } from '#app/ui/fields.tsx'
import { FormFrame } from '#app/ui/form-frame.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { PendingShapes } from '#app/ui/page.tsx'
import type { Region } from '#contract/base/region.ts'
import {
  type CompanyClaim,
  type OwnVerification,
  SendCompanyInput,
} from '#contract/verification.ts'
import { DocumentField } from './document-field.tsx'
import { doneSteps, useStoreVerification } from './verdict.ts'
import { AnswerPart, NoAccess, VerifyFrame } from './verify-frame.tsx'

const TITLE = 'Verify your company'

function Company({ verification }: { verification: OwnVerification }) {
  const store = useStoreVerification()
  const { company, provider } = verification
  const sent = useRef<HTMLDivElement>(null)
  if (company !== null && company.state !== 'refused') {
    return (
      <div ref={sent} tabIndex={-1} className="flex flex-col gap-6 outline-none">
        <CompanySent company={company} region={provider.region} />
      </div>
    )
  }
  return (
    <>
      {company && (
        <Notice kind="danger" title="We couldn’t confirm your company">
          <p>{company.reason ?? 'Write to us to find out why.'}</p>
          <p className="mt-1">Correct it below and send it again, with a document.</p>
        </Notice>
      )}
      <CompanyForm
        verification={verification}
        onSent={(now) => {
          store(now)
          scrollTo({ top: 0 })
          requestAnimationFrame(() => sent.current?.focus())
        }}
      />
    </>
  )
}

function Verification() {
  const [verification] = trpc.verification.mine.useSuspenseQuery({})
  const { company } = verification
  const isOpen = company === null || company.state === 'refused'
  return (
    <VerifyFrame
      current="Company"
      done={doneSteps(verification)}
      title={TITLE}
      lead={isOpen ? 'Tell us about your company or practice.' : undefined}
      below={
        <p className="flex flex-wrap justify-center gap-x-6 gap-y-2 px-1">
          <TextLink to="/provider-verify">Back to your registration</TextLink>
          {isOpen && <TextLink to="/dochome">Do this later</TextLink>}
        </p>
      }
    >
      <AnswerPart verification={verification} about="company" />
      <Company verification={verification} />
    </VerifyFrame>
  )
}

/** `/company-verify`: the provider's company, with one document, and the decision on it. */
export function CompanyVerifyPage() {
  return (
    <DataBoundary
      failed="This didn’t load"
      renderFrame={(state) => (
        <VerifyFrame current="Company" done={['Email']} title={TITLE}>
          {state}
        </VerifyFrame>
      )}
      renderFailure={(failure) => <NoAccess {...failure} />}
      pending={<PendingShapes shapes={['h-16', 'h-16', 'h-28']} />}
    >
      <Verification />
    </DataBoundary>
  )
}

type CompanySentProps = { company: CompanyClaim; region: Region }

/** The submitted company and its status: under review, or accepted. */
function CompanySent({ company, region }: CompanySentProps) {
  const day = (instant: string) => formatFullDate(instant.slice(0, 10), region)
  const { document, state, decidedAt } = company
  const rows: [string, string][] = [
    ['Company name', company.company_name],
    ['Registration number', company.registration_number],
    ['Registered address', company.address],
    ['Document', `${document.kind === 'pdf' ? 'PDF' : 'Picture'}, ${sizeText(document.bytes)}`],
    ['Sent', day(company.sentAt)],
  ]
  return (
    <>
      {state === 'accepted' ? (
        <Notice kind="ok" title="Accepted">
          <p>
            Our staff have confirmed your company
            {decidedAt !== null && ` on ${day(decidedAt)}`}. There’s nothing left to do here.
          </p>
        </Notice>
      ) : (
        <Notice kind="info" title="In review">
          <p>Our team will check it against the document. We’ll email you our decision.</p>
        </Notice>
      )}
      <dl className="divide-y divide-line border-y border-line">
        {rows.map(([label, value]) => (
          <div key={label} className="grid gap-x-4 py-2.5 sm:grid-cols-[12rem_minmax(0,1fr)]">
            <dt className="text-muted">{label}</dt>
            <dd className="tabular font-medium wrap-anywhere whitespace-pre-line">{value}</dd>
          </div>
        ))}
      </dl>
      <div>
        <LinkButton to="/dochome" size="large" className="max-sm:w-full">
          Go to your dashboard
        </LinkButton>
      </div>
    </>
  )
}

const numberHint: Record<Region, string> = {
  uk: 'Your Companies House number, such as 01234567. If you work in your own name, your tax reference (UTR).',
  usa: 'Your Employer Identification Number (EIN), such as 12-3456789.',
}

type CompanyFormProps = {
  verification: OwnVerification
  onSent: (now: OwnVerification) => void
}

/** The form for the provider's company, prefilled with a refused one. */
function CompanyForm({ verification, onSent }: CompanyFormProps) {
  const { client } = trpc.useUtils()
  const { company, provider } = verification
  const form = useForm({
    blank: {
      company_name: company?.company_name ?? '',
      registration_number: company?.registration_number ?? '',
      address: company?.address ?? '',
      document: '',
    },
    schema: SendCompanyInput,
    send: (input) => client.verification.sendCompany.mutate(input),
    onSent: (now) => onSent(now),
    codeFields: { not_found: 'document' },
  })
  return (
    <FormFrame form={form} label="Your company" failureTitle="Not sent">
      <TextInput
        label="Company name"
        hint="As it is registered, or your own name if you work under it."
        autoComplete="organization"
        {...form.text('company_name')}
      />
      <TextInput
        label="Registration number"
        hint={numberHint[provider.region]}
        autoComplete="off"
        spellCheck={false}
        className="tabular max-w-64 uppercase placeholder:normal-case"
        {...form.text('registration_number')}
      />
      <TextArea
        label="Registered address"
        rows={3}
        autoComplete="street-address"
        {...form.text('address')}
      />
      <DocumentField
        id={`${form.id}-document`}
        error={form.errors['document']}
        onDocument={(document) => form.set('document', document)}
      />
      <div>
        <Button type="submit" size="large" isBusy={form.isBusy} className="max-sm:w-full">
          {form.isBusy ? 'Sending' : company === null ? 'Send for review' : 'Send again'}
        </Button>
      </div>
    </FormFrame>
  )
}
