import { formatFullDate } from '#app/lib/format-full-date.ts'
import { LinkButton } from '#app/ui/link-button.tsx'
import { Notice } from '#app/ui/notice.tsx'
import type { Region } from '#contract/region.ts'
import type { CompanyClaim } from '#contract/verification.ts'
import { sizeText } from './document-field.tsx'

type CompanySentProps = { company: CompanyClaim; region: Region }

/** What was sent, and where it stands: with our staff, or accepted. */
export function CompanySent({ company, region }: CompanySentProps) {
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
          <p>Our staff compare it with the document. You hear from us by mail.</p>
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
