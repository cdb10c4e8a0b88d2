import { useRef } from 'react'
import { formatFullDate } from '#app/lib/format.ts'
import { DataBoundary } from '#app/parts/data-boundary.tsx'
import { trpc } from '#app/trpc.ts'
import { LinkButton, TextLink } from '#app/ui/button.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { PendingShapes } from '#app/ui/skeleton.tsx'
import type { Region } from '#contract/region.ts'
import type { CompanyClaim, OwnVerification } from '#contract/verification.ts'
import { AnswerPart } from './answer-part.tsx'
import { CompanyForm } from './company-form.tsx'
import { sizeText } from './document-field.tsx'
import { NotYours, VerifyFrame } from './verify-frame.tsx'
import { doneSteps, useKeepVerification } from './words.ts'

const TITLE = 'Verify your company'

function Company({ verification }: { verification: OwnVerification }) {
  const keep = useKeepVerification()
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
          <p className="mt-1">Put it right below and send it again, with a document.</p>
        </Notice>
      )}
      <CompanyForm
        verification={verification}
        onSent={(now) => {
          keep(now)
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
      lead={isOpen ? 'The company or practice you work as.' : undefined}
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

/** `/company-verify`: the company a provider works as, with one document, and what became of it. */
export function CompanyVerifyPage() {
  return (
    <DataBoundary
      failed="This didn’t load"
      renderFrame={(state) => (
        <VerifyFrame current="Company" done={['Email']} title={TITLE}>
          {state}
        </VerifyFrame>
      )}
      renderFailure={(failure) => <NotYours {...failure} />}
      pending={<PendingShapes shapes={['h-16', 'h-16', 'h-28']} />}
    >
      <Verification />
    </DataBoundary>
  )
}

type CompanySentProps = { company: CompanyClaim; region: Region }

/** What was sent, and where it stands: with our staff, or accepted. */
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
            {decidedAt !== null && ` on ${day(decidedAt)}`}. There is nothing left to do here.
          </p>
        </Notice>
      ) : (
        <Notice kind="info" title="In review">
          <p>Our team compares it with the document. We’ll email you our decision.</p>
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
