import { ComparisonTable } from '#app/features/verification/comparison-table.tsx'
import { bodyLabels } from '#app/features/verification/verdict.ts'
import { describeFailure } from '#app/lib/errors.ts'
import { formatFullDate } from '#app/lib/format.ts'
import { trpc } from '#app/trpc.ts'
import { Button, TextLink } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { Notice } from '#app/ui/notice.tsx'
import type { Evidence, StaffProvider } from '#contract/verification-staff.ts'
import { ToneText } from './profile-part.tsx'
import { changesOf, checkedByText, outcomeLabels, timeText } from './staff-text.ts'
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
        <time dateTime={check.checkedAt}>{timeText(check.checkedAt)}</time>, source: {check.source}.
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
        <p className="mt-2 text-sm text-muted">Capital letters and spaces do not matter.</p>
      </section>
    </Card>
  )
}
