import { BadgeCheck, Circle, CircleAlert, CircleCheck, Clock } from 'lucide-react'
import { TextLink } from '#app/ui/button.tsx'
import type { OwnProfile, ProfileStepKey } from '#contract/profiles-own.ts'
import type { OwnVerification } from '#contract/verification.ts'
import { type BusinessFact, businessFacts } from './business-facts.ts'
import { Panel } from './month-earnings.tsx'
import { NotVerified } from './not-here.tsx'

/** Label of each step and the page where it is done. */
const steps = {
  about: { todo: 'Say who you are and how you work', to: '/doctor/profile' },
  place: { todo: 'Add the place where you see patients', to: '/doctor/profile' },
  hours: { todo: 'Set your hours', to: '/doctor/availability/new' },
  photo: { todo: 'Add a photo', to: '/doctor/profile' },
  verified: { todo: 'Have your registration checked', to: '/provider-verify' },
} as const satisfies Record<ProfileStepKey, { todo: string; to: string }>

function Status({ profile }: { profile: OwnProfile }) {
  const { professional_body_name: body, membership_number: number } = profile.registed_with
  const isVerified = profile.verification_status === 'Verified'
  const Icon = isVerified ? BadgeCheck : Clock
  return (
    <div className="flex gap-3">
      <Icon
        aria-hidden="true"
        className={isVerified ? 'size-6 shrink-0 text-ok' : 'size-6 shrink-0 text-warn'}
      />
      <div className="min-w-0">
        <p className="font-semibold">{profile.verification_status}</p>
        <p className="tabular text-sm text-muted">
          {body} {number}
        </p>
      </div>
    </div>
  )
}

type StandingProps = { profile: OwnProfile; verification: OwnVerification }

/** Verification status of the provider, and what the profile still lacks. */
export function Standing({ profile, verification }: StandingProps) {
  const missing = profile.steps.filter(({ isDone, key }) => !isDone && key !== 'verified')
  const done = profile.steps.filter(({ isDone }) => isDone).length
  const isVerified = profile.verification_status === 'Verified'
  return (
    <Panel title="Your standing">
      <Status profile={profile} />
      {!isVerified && <NotVerified />}
      <div className="mt-4 border-t border-line pt-4">
        {missing.length === 0 ? (
          <p className="flex gap-2">
            <CircleCheck aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-ok" />
            Your profile has everything patients look for.
          </p>
        ) : (
          <>
            <h3 className="font-semibold">Missing from your profile</h3>
            <p className="text-sm text-muted">
              {done} of {profile.steps.length} steps are done.
            </p>
            <ul className="mt-2 flex flex-col gap-1">
              {missing.map(({ key, isRequired }) => (
                <li key={key} className="flex items-start gap-2">
                  <Circle aria-hidden="true" className="mt-1 size-4 shrink-0 text-muted" />
                  <span>
                    <TextLink to={steps[key].to} className="inline-flex min-h-6 items-center">
                      {steps[key].todo}
                    </TextLink>
                    {!isRequired && <span className="text-muted"> (optional)</span>}
                  </span>
                </li>
              ))}
            </ul>
          </>
        )}
      </div>
      <Business profile={profile} verification={verification} />
    </Panel>
  )
}

const marks = {
  done: { Icon: CircleCheck, tone: 'text-ok' },
  waiting: { Icon: Clock, tone: 'text-muted' },
  missing: { Icon: Circle, tone: 'text-muted' },
  wrong: { Icon: CircleAlert, tone: 'text-danger' },
} as const

function BusinessLine({ fact }: { fact: BusinessFact }) {
  const { Icon, tone } = marks[fact.mark]
  return (
    <li className="flex gap-2">
      <Icon aria-hidden="true" className={`mt-0.5 size-5 shrink-0 ${tone}`} />
      <div className="min-w-0">
        <p>{fact.words}</p>
        {fact.more !== undefined && <p className="text-sm text-muted wrap-anywhere">{fact.more}</p>}
        {fact.action !== undefined && (
          <TextLink to={fact.action.to} className="inline-flex min-h-6 items-center">
            {fact.action.label}
          </TextLink>
        )}
      </div>
    </li>
  )
}

/** Status of a provider's company and bank account: missing, rejected, queried or done. */
function Business(props: StandingProps) {
  return (
    <div className="mt-4 border-t border-line pt-4">
      <h3 className="font-semibold">Company and payouts</h3>
      <ul className="mt-2 flex flex-col gap-3">
        {businessFacts(props).map((fact) => (
          <BusinessLine key={fact.words} fact={fact} />
        ))}
      </ul>
    </div>
  )
}
