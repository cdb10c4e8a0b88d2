import type { ReactNode } from 'react'
import { ComparisonTable } from '#app/features/verification/comparison-table.tsx'
import { bodyLabels } from '#app/features/verification/verdict.ts'
import { describeFailure } from '#app/lib/errors.ts'
import { formatFullDate, formatLocalMoment } from '#app/lib/format/dates.ts'
import { trpc } from '#app/trpc.ts'
import { Button, TextLink } from '#app/ui/button.tsx'
import { Badge, Notice } from '#app/ui/notice.tsx'
import { Card } from '#app/ui/page.tsx'
import type { Evidence, StaffCheck, StaffProvider } from '#contract/verification-staff.ts'
import { DocumentButton } from './company-part.tsx'
import { ToneText } from './profile-part.tsx'
import { changesOf, checkedByText, differencesOf, outcomeLabels } from './staff-text.ts'
import { useInvalidateProvider } from './use-provider.ts'

type RegisterPartProps = { provider: StaffProvider; evidence: Evidence }

/** When the register was last compared, by whom and against what; nothing before the first time. */
function LastComparison({ evidence }: { evidence: Evidence }) {
  const { check, history } = evidence
  if (check === null) {
    return (
      <p className="text-sm text-muted">
        {history.length === 0
          ? 'The register hasn’t been checked yet.'
          : 'The claim has changed since the last check. Look it up again.'}
      </p>
    )
  }
  const changes = changesOf(check)
  const { words, tone } = outcomeLabels[check.outcome]
  return (
    <div className="flex flex-col gap-1">
      <ToneText tone={tone}>
        <span className="font-semibold">{words}</span>
      </ToneText>
      <p className="text-sm text-muted">
        {checkedByText(check)} on{' '}
        <time dateTime={check.checkedAt}>{formatLocalMoment(check.checkedAt)}</time>, source:{' '}
        {check.source}.
      </p>
      {changes !== null && <ToneText tone="warn">{changes}</ToneText>}
    </div>
  )
}

/** Warns before a decision about other providers with the same number, with links to them. */
function SameNumber({ evidence: { sameNumber } }: Pick<RegisterPartProps, 'evidence'>) {
  if (sameNumber.length === 0) return null
  const isTaken = sameNumber.some((one) => one.verification_status === 'Verified')
  return (
    <Notice kind="warn" title="Another account uses this registration number" className="mb-4">
      <ul>
        {sameNumber.map((one) => (
          <li key={one.providerId}>
            <TextLink
              to="/admin-home/providers/$providerId"
              params={{ providerId: one.providerId }}
            >
              {one.name}
            </TextLink>
            , {one.verification_status}, registered here {formatFullDate(one.registeredOn, 'uk')}
          </li>
        ))}
      </ul>
      <p className="mt-2">
        {isTaken
          ? 'Only one account can be Verified with a number. While the other one is, this one can’t be.'
          : 'Only one account can be Verified with a number. Find out who the registrant is first.'}
      </p>
    </Notice>
  )
}

/** The claim beside the register's entry, and a button that checks the register now. */
export function RegisterPart({ provider, evidence }: RegisterPartProps) {
  const invalidate = useInvalidateProvider()
  const { register } = bodyLabels[provider.professional_body_name]
  const lookUp = trpc.verification.lookUp.useMutation({ onSettled: invalidate })
  return (
    <Card>
      <section aria-labelledby="register">
        <div className="mb-4 flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
          <div className="min-w-0">
            <h2 id="register" className="mb-1 text-xl font-semibold">
              Registration
            </h2>
            <div role="status">
              <LastComparison evidence={evidence} />
            </div>
          </div>
          <Button
            variant="secondary"
            isBusy={lookUp.isPending}
            onClick={() => lookUp.mutate({ providerId: provider.providerId })}
          >
            {lookUp.isPending ? `Checking the ${register}` : 'Look up'}
          </Button>
        </div>
        {lookUp.error && (
          <Notice
            kind="danger"
            role="alert"
            title={`The ${register} didn’t answer`}
            className="mb-4"
          >
            <p>{describeFailure(lookUp.error).sentence}</p>
          </Notice>
        )}
        <SameNumber evidence={evidence} />
        <ComparisonTable
          claimTitle="The provider claims"
          verification={{
            provider: {
              name: provider.claimedName,
              professional_body_name: provider.professional_body_name,
              membership_number: provider.membership_number ?? '',
            },
            check: evidence.check,
          }}
        />
        <p className="mt-2 text-sm text-muted">Capital letters and spaces don’t matter.</p>
      </section>
    </Card>
  )
}

type Entry = { at: string; key: string; body: ReactNode }

function decisionText(check: StaffCheck): string {
  return check.decision === 'Verified' ? 'Decided: Verified' : 'Decided: Unverified'
}

function CheckEntry({ check }: { check: StaffCheck }) {
  const { words, tone } = outcomeLabels[check.outcome]
  const { answer } = check
  const more = [differencesOf(check), changesOf(check)].filter((one) => one !== null)
  return (
    <>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="font-semibold">{checkedByText(check)}</span>
        {check.decision !== null && (
          <Badge tone={check.decision === 'Verified' ? 'ok' : 'accent'}>
            {decisionText(check)}
          </Badge>
        )}
      </p>
      <ToneText tone={tone}>{words}</ToneText>
      {more.map((one) => (
        <p key={one} className="text-sm">
          {one}
        </p>
      ))}
      {check.reason !== null && (
        <p className="text-sm whitespace-pre-line">Reason: “{check.reason}”</p>
      )}
      <p className="text-sm text-muted">
        Claimed {check.claimed.name}, {check.professional_body_name}{' '}
        <span className="tabular">{check.claimed.registration_number}</span>.{' '}
        {answer === null
          ? 'The register had no entry.'
          : `The register had ${answer.name}: ${answer.status_text}.`}{' '}
        Source: {check.source}.
      </p>
    </>
  )
}

/** Comparisons and emails together, the newest first. */
function entriesOf({ history, asked }: Evidence): Entry[] {
  const checks = history.map((check) => ({
    at: check.checkedAt,
    key: check.id,
    body: <CheckEntry check={check} />,
  }))
  const emails = asked.map((one) => ({
    at: one.at,
    key: `asked ${one.at}`,
    body: (
      <>
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span className="font-semibold">Asked again by {one.by ?? 'staff'}</span>
          {one.isOpen && <Badge>Nothing has come yet</Badge>}
        </p>
        <p className="text-sm whitespace-pre-line">“{one.what}”</p>
        {one.answer && (
          <div className="rounded-field bg-sunken px-4 py-3">
            <p className="text-sm font-semibold">Answered on {formatLocalMoment(one.answer.at)}</p>
            <p className="text-sm whitespace-pre-line">{one.answer.text}</p>
            {one.answer.documentId !== null && one.answer.document !== null && (
              <DocumentButton
                sent={{ documentId: one.answer.documentId, document: one.answer.document }}
              />
            )}
          </div>
        )}
      </>
    ),
  }))
  return [...checks, ...emails].toSorted((a, b) => b.at.localeCompare(a.at))
}

/** All comparisons, decisions and requests, as recorded at the time. */
export function HistoryPart({ evidence }: { evidence: Evidence }) {
  const entries = entriesOf(evidence)
  return (
    <Card>
      <section aria-labelledby="evidence">
        <h2 id="evidence" className="text-xl font-semibold">
          Evidence
        </h2>
        {entries.length === 0 ? (
          <p className="mt-2 text-muted">No comparisons yet.</p>
        ) : (
          <ol className="mt-2 divide-y divide-line">
            {entries.map(({ at, key, body }) => (
              <li
                key={key}
                className="grid gap-x-6 gap-y-1 py-4 last:pb-0 md:grid-cols-[10rem_minmax(0,1fr)]"
              >
                <time dateTime={at} className="tabular text-sm text-muted md:pt-0.5">
                  {formatLocalMoment(at)}
                </time>
                <div className="flex min-w-0 flex-col gap-1.5 wrap-anywhere">{body}</div>
              </li>
            ))}
          </ol>
        )}
      </section>
    </Card>
  )
}
