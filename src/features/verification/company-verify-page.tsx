import { useRef } from 'react'
import { DataBoundary } from '#app/parts/data-boundary.tsx'
import { trpc } from '#app/trpc.ts'
import { Notice } from '#app/ui/notice.tsx'
import { PendingShapes } from '#app/ui/pending-shapes.tsx'
import { TextLink } from '#app/ui/text-link.tsx'
import type { OwnVerification } from '#contract/verification.ts'
import { CompanyForm } from './company-form.tsx'
import { CompanySent } from './company-sent.tsx'
import { NotYours } from './not-yours.tsx'
import { doneSteps } from './steps.ts'
import { useKeepVerification } from './use-own-verification.ts'
import { VerifyFrame } from './verify-frame.tsx'

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
        <Notice kind="danger" title="We could not confirm your company">
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
      <Company verification={verification} />
    </VerifyFrame>
  )
}

/** `/company-verify`: the company a provider works as, with one document, and what became of it. */
export function CompanyVerifyPage() {
  return (
    <DataBoundary
      failed="This did not load"
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
