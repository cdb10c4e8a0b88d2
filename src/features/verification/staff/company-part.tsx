import { useMutation } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import { describeFailure } from '#app/lib/errors.ts'
import { formatLocalMoment } from '#app/lib/format/dates.ts'
import { sizeText } from '#app/parts/file-field.tsx'
import { trpc } from '#app/trpc.ts'
import { Button, Summary } from '#app/ui/button.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { Card } from '#app/ui/page.tsx'
import { companyLife } from '#contract/life-cycles/verification.ts'
import type { DecideCompanyInput, StaffCompany } from '#contract/verification-staff.ts'
import { ReasonForm } from './decision-part.tsx'
import { ToneText } from './profile-part.tsx'
import type { Tone } from './staff-text.ts'
import { downloadDocument, useInvalidateProvider } from './use-provider.ts'

const stateLabels: Record<StaffCompany['state'], { words: string; tone: Tone }> = {
  in_review: { words: 'Waiting for a decision', tone: 'warn' },
  accepted: { words: 'Accepted', tone: 'ok' },
  refused: { words: 'Refused', tone: 'danger' },
}

function State({ company }: { company: StaffCompany }) {
  const { state, sentAt, decidedAt, decidedBy, reason } = company
  const { words, tone } = stateLabels[state]
  const by = decidedBy === null ? '' : ` by ${decidedBy}`
  return (
    <div className="flex flex-col gap-1">
      <ToneText tone={tone}>
        <span className="font-semibold">{words}</span>
      </ToneText>
      <p className="text-sm text-muted">
        Sent on {formatLocalMoment(sentAt)}.
        {decidedAt !== null && ` ${words} on ${formatLocalMoment(decidedAt)}${by}.`}
      </p>
      {reason !== null && <p className="text-sm whitespace-pre-line">Reason: “{reason}”</p>}
    </div>
  )
}

function Facts({ company }: { company: StaffCompany }) {
  const rows: [string, string][] = [
    ['Company name', company.company_name],
    ['Registration number', company.registration_number],
    ['Registered address', company.address],
  ]
  return (
    <dl className="mt-4 divide-y divide-line border-y border-line">
      {rows.map(([label, value]) => (
        <div key={label} className="grid gap-x-4 py-2.5 sm:grid-cols-[12rem_minmax(0,1fr)]">
          <dt className="text-muted">{label}</dt>
          <dd className="tabular font-medium wrap-anywhere whitespace-pre-line">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

type DocumentButtonProps = { sent: Pick<StaffCompany, 'documentId' | 'document'> }

/** Downloads a document of the provider. */
export function DocumentButton({ sent }: DocumentButtonProps) {
  const note = useId()
  const { kind, bytes } = sent.document
  const download = useMutation({ mutationFn: () => downloadDocument(sent) })
  return (
    <div className="mt-4">
      <Button
        variant="secondary"
        isBusy={download.isPending}
        onClick={() => download.mutate()}
        aria-describedby={note}
      >
        <Download aria-hidden="true" className="size-5" />
        Download the document
      </Button>
      <p id={note} className="mt-2 text-sm text-muted">
        {kind === 'pdf' ? 'PDF' : 'Picture'}, {sizeText(bytes)}. Each download is recorded. The file
        comes from the provider: open it with care.
      </p>
      {download.error && (
        <Notice kind="danger" role="alert" title="Not downloaded" className="mt-3">
          <p>{describeFailure(download.error).sentence}</p>
        </Notice>
      )}
    </div>
  )
}

function Decide({ company }: { company: StaffCompany }) {
  const { client } = trpc.useUtils()
  const invalidate = useInvalidateProvider()
  const [isRefusing, setRefusing] = useState(false)
  const [done, setDone] = useState<string | null>(null)
  const result = useRef<HTMLDivElement>(null)
  const { state } = company
  const about = { claimId: company.id, seen: state }
  const send = async (input: DecideCompanyInput) => {
    setDone(null)
    try {
      const { state: now } = await client.verification.decideCompany.mutate(input)
      setDone(now === 'accepted' ? 'The company is accepted.' : 'The company is refused.')
      setRefusing(false)
    } finally {
      // Also if a colleague decided first: the page is then out of date.
      await invalidate()
      requestAnimationFrame(() => result.current?.focus())
    }
  }
  const accept = useMutation({ mutationFn: () => send({ ...about, decision: 'accepted' }) })
  const mayRefuse = companyLife.may('refuse', state, 'staff')
  return (
    <>
      <div ref={result} tabIndex={-1} className="mt-4 rounded-field empty:hidden">
        {done !== null && (
          <Notice kind="ok" role="status" title={done}>
            <p>We’ve emailed the provider.</p>
          </Notice>
        )}
        {accept.error && (
          <Notice kind="danger" role="alert" title="Nothing was decided">
            <p>{describeFailure(accept.error).sentence}</p>
          </Notice>
        )}
      </div>
      {mayRefuse && (
        <div className="mt-4 flex flex-wrap gap-3">
          {companyLife.may('accept', state, 'staff') && (
            <Button isBusy={accept.isPending} onClick={() => accept.mutate()}>
              Accept
            </Button>
          )}
          <Button
            variant="dangerQuiet"
            aria-expanded={isRefusing}
            onClick={() => setRefusing(true)}
          >
            Refuse
          </Button>
        </div>
      )}
      {isRefusing && mayRefuse && (
        <ReasonForm
          label="Refuse the company"
          field="Reason"
          hint="The provider reads this, and can send it again."
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

/** The provider's company, with its document and the decision; nothing without one. */
export function CompanyPart({ companies }: { companies: readonly StaffCompany[] }) {
  const [newest, ...before] = companies
  if (newest === undefined) return null
  return (
    <Card>
      <section aria-labelledby="company">
        <h2 id="company" className="mb-1 text-xl font-semibold">
          Company
        </h2>
        <State company={newest} />
        <Facts company={newest} />
        <DocumentButton key={newest.documentId} sent={newest} />
        <Decide key={newest.id} company={newest} />
        {before.length > 0 && (
          <details className="mt-4 border-t border-line pt-3">
            <Summary>Sent earlier ({before.length})</Summary>
            <ul className="mt-2 flex flex-col gap-4">
              {before.map((company) => (
                <li key={company.id}>
                  <p className="font-medium">
                    {company.company_name},{' '}
                    <span className="tabular">{company.registration_number}</span>
                  </p>
                  <State company={company} />
                </li>
              ))}
            </ul>
          </details>
        )}
      </section>
    </Card>
  )
}
