import type { ReactNode } from 'react'
import { Badge } from '#app/ui/badge.tsx'
import { Card } from '#app/ui/card.tsx'
import type { Evidence, StaffCheck } from '#contract/verification-staff.ts'
import { DocumentButton } from './company-part.tsx'
import { ToneText } from './profile-part.tsx'
import { changesOf, checkedByText, differencesOf, outcomeLabels, timeText } from './staff-text.ts'

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
            <p className="text-sm font-semibold">Answered on {timeText(one.answer.at)}</p>
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
                  {timeText(at)}
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
