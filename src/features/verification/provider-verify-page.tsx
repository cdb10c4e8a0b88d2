import { useRef } from 'react'
import { describeFailure } from '#app/lib/errors.ts'
import { formatFullDate } from '#app/lib/format/dates.ts'
import { useSiteConfig } from '#app/lib/site-config.ts'
import { DataBoundary } from '#app/parts/data-boundary.tsx'
import { trpc } from '#app/trpc.ts'
import { Button, LinkButton, TextLink } from '#app/ui/button.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { PendingShapes } from '#app/ui/page.tsx'
import { DEMO_REGISTRANT, LOOK_UPS_PER_DAY, type OwnVerification } from '#contract/verification.ts'
import { ComparisonTable } from './comparison-table.tsx'
import { ProofPart } from './proof-part.tsx'
import { bodyLabels, doneSteps, useStoreVerification, verdictOf } from './verdict.ts'
import { AnswerPart, NoAccess, VerifyFrame, WhatNext } from './verify-frame.tsx'

const TITLE = 'Verify your registration'

/** Offers a registrant of the demo's register, where invented numbers are not found. */
function DemoHint({ verification }: { verification: OwnVerification }) {
  const { check, provider } = verification
  if (!useSiteConfig().demo || check?.outcome !== 'not_found') return null
  const { first_name: first, last_name: last, numbers } = DEMO_REGISTRANT
  const body = provider.professional_body_name
  return (
    <Notice>
      <p>
        This is a demo. Its register lists{' '}
        <strong>
          {first} {last}
        </strong>{' '}
        with the {bodyLabels[body].number} <strong className="tabular">{numbers[body]}</strong>.
      </p>
    </Notice>
  )
}

function lookUpsLeftText(left: number): string {
  if (left === 0) return 'You’ve used all five checks for today. You can check again tomorrow.'
  if (left === LOOK_UPS_PER_DAY) return 'Up to five checks a day.'
  return left === 1 ? '1 check left today.' : `${left} checks left today.`
}

function Registration({ verification }: { verification: OwnVerification }) {
  const store = useStoreVerification()
  const { provider, check, lookUpsLeft, state, company } = verification
  const { professional_body_name, membership_number, region } = provider
  const { register } = bodyLabels[professional_body_name]
  const result = useRef<HTMLDivElement>(null)
  const compare = trpc.verification.lookUpMine.useMutation({
    onSuccess: (now) => {
      store(now)
      // The result is shown above the pressed button.
      requestAnimationFrame(() => result.current?.focus())
    },
  })
  const verdict = verdictOf(verification)
  const isFirst = check === null && state !== 'verified'
  const way =
    company === null || company.state === 'refused'
      ? 'Continue to your company'
      : 'See your company'
  return (
    <>
      <div ref={result} tabIndex={-1} className="rounded-field empty:hidden">
        {verdict && (
          <Notice kind={verdict.kind} role="status" title={verdict.title}>
            <p className="whitespace-pre-line">{verdict.text}</p>
            {verdict.isInProfile && (
              <p className="mt-2">
                <TextLink to="/doctor/profile">Open your profile</TextLink>
              </p>
            )}
          </Notice>
        )}
      </div>
      <AnswerPart verification={verification} about="registration" />
      <div>
        <ComparisonTable verification={verification} />
        {check && (
          <p className="mt-2 text-sm text-muted">
            Checked on {formatFullDate(check.checkedAt.slice(0, 10), region)}. Capital letters and
            spaces do not matter.
          </p>
        )}
      </div>
      <DemoHint verification={verification} />
      {compare.error && (
        <Notice kind="danger" role="alert" title="We couldn’t compare them">
          <p>{describeFailure(compare.error).sentence}</p>
        </Notice>
      )}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
        {!isFirst && (
          <LinkButton to="/company-verify" size="large" className="max-sm:w-full">
            {way}
          </LinkButton>
        )}
        <Button
          variant={isFirst ? 'primary' : 'secondary'}
          size="large"
          className="max-sm:w-full"
          isBusy={compare.isPending}
          disabled={lookUpsLeft === 0}
          aria-describedby="look-ups-left"
          onClick={() => compare.mutate({ professional_body_name, membership_number })}
        >
          {compare.isPending
            ? `Checking the ${register}`
            : isFirst
              ? `Check the ${register}`
              : 'Check again'}
        </Button>
        <p id="look-ups-left" className="text-sm text-muted">
          {lookUpsLeftText(lookUpsLeft)}
        </p>
      </div>
      <ProofPart verification={verification} />
      <WhatNext verification={verification} />
    </>
  )
}

const LEAD =
  'We compare what you told us with the public register. You’ll be listed once this is done.'

function Verification() {
  const [verification] = trpc.verification.mine.useSuspenseQuery({})
  return (
    <VerifyFrame
      current="Registration"
      done={doneSteps(verification)}
      title={TITLE}
      lead={LEAD}
      below={
        <p className="px-1 text-center">
          <TextLink to="/dochome">
            {verification.state === 'verified' ? 'Go to your dashboard' : 'Do this later'}
          </TextLink>
        </p>
      }
    >
      <Registration verification={verification} />
    </VerifyFrame>
  )
}

/**
 * `/provider-verify`, once the email address is confirmed: the provider's claim beside the register's entry.
 */
export function ProviderVerifyPage() {
  return (
    <DataBoundary
      failed="This didn’t load"
      renderFrame={(state) => (
        <VerifyFrame current="Registration" done={['Email']} title={TITLE}>
          {state}
        </VerifyFrame>
      )}
      renderFailure={(failure) => <NoAccess {...failure} />}
      pending={<PendingShapes shapes={['h-6 w-3/4', 'h-64']} />}
    >
      <Verification />
    </DataBoundary>
  )
}
