import { BadgeCheck, Circle, CircleAlert, CircleCheck, Clock } from 'lucide-react'
import type { ReactNode } from 'react'
import { formatLongDate } from '#app/lib/format/dates.ts'
import { DashboardHeading } from '#app/parts/dashboard-frame.tsx'
import { DataBoundary } from '#app/parts/data-boundary.tsx'
import { trpc } from '#app/trpc.ts'
import { TextLink } from '#app/ui/button.tsx'
import { PendingShapes } from '#app/ui/page.tsx'
import type { ProviderDay } from '#contract/booking-provider.ts'
import type { OwnProfile, ProfileStepKey } from '#contract/profiles-own.ts'
import type { OwnVerification } from '#contract/verification.ts'
import { FreeTimes } from './free-times-panel.tsx'
import { MonthEarnings } from './month-earnings.tsx'
import { NotVerified } from './no-access.tsx'
import { Panel } from './panel.tsx'
import { Today } from './today-panel.tsx'

/** Refetch interval for a page left open. */
const REFRESH_MS = 60_000

type HomeProps = {
  /** The calendar, once the clinic's date and time zone are known; from another feature module. */
  renderCalendar: (day: Pick<ProviderDay, 'date' | 'timeZone'>) => ReactNode
}

/** `/dochome`: today's visits, the calendar, this month's earnings and the provider's status. */
export function DashboardHomePage(props: HomeProps) {
  return (
    <DataBoundary
      failed="Your day didn’t load"
      renderFrame={(state) => (
        <>
          <DashboardHeading title="DashBoard" />
          <div className="mt-6">{state}</div>
        </>
      )}
      pending={
        <PendingShapes
          className="grid gap-6 xl:grid-cols-[minmax(0,1fr)_20rem]"
          shapes={['h-96', 'h-96']}
        />
      }
    >
      <Day {...props} />
    </DataBoundary>
  )
}

function Day({ renderCalendar }: HomeProps) {
  const [[day, earnings, profile, verification]] = trpc.useSuspenseQueries((query) => [
    query.booking.today(undefined, { refetchInterval: REFRESH_MS }),
    query.payments.earnings(),
    query.profiles.own(),
    query.verification.mine({}),
  ])
  const now = Date.parse(day.now)
  const hasHours = profile.steps.some(({ key, isDone }) => key === 'hours' && isDone)
  const isVerified = profile.verification_status === 'Verified'
  const status = <ProviderStatus profile={profile} verification={verification} />
  return (
    <>
      <DashboardHeading title="DashBoard">
        <p className="mt-1 text-lg text-muted">
          {profile.shownName}, {formatLongDate(day.now, day.timeZone)}
        </p>
      </DashboardHeading>
      <div className="mt-6 grid grid-cols-[minmax(0,1fr)] gap-6">
        {/* First, because until then patients cannot find the provider. */}
        {!isVerified && status}
        <Today day={day} now={now} hasHours={hasHours} />
        {hasHours && renderCalendar(day)}
        <div className="no-print grid items-start gap-6 lg:grid-cols-2">
          <FreeTimes day={day} now={now} hasHours={hasHours} />
          <div className="grid gap-6">
            {isVerified && status}
            <MonthEarnings earnings={earnings} />
          </div>
        </div>
      </div>
    </>
  )
}

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

type ProviderStatusProps = { profile: OwnProfile; verification: OwnVerification }

/** Verification status of the provider, and what the profile still lacks. */
function ProviderStatus({ profile, verification }: ProviderStatusProps) {
  const missing = profile.steps.filter(({ isDone, key }) => !isDone && key !== 'verified')
  const done = profile.steps.filter(({ isDone }) => isDone).length
  const isVerified = profile.verification_status === 'Verified'
  return (
    <Panel title="Your verification">
      <Status profile={profile} />
      {!isVerified && <NotVerified verification={verification} />}
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
function Business(props: ProviderStatusProps) {
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

/** A known or missing fact about a provider's business. */
type BusinessFact = {
  mark: 'done' | 'waiting' | 'missing' | 'wrong'
  words: string
  /** Explanation written by staff. */
  more?: string | undefined
  action?: { label: string; to: '/company-verify' | '/provider-verify' | '/doctor/bank-account' }
}

type Known = {
  profile: Pick<OwnProfile, 'hasBankAccount'>
  verification: Pick<OwnVerification, 'asked' | 'company' | 'verification_status'>
}

function companyFact({ asked, company }: Known['verification']): BusinessFact {
  const to = '/company-verify'
  if (asked?.about === 'company') {
    return {
      mark: 'wrong',
      words: 'We asked you about your company.',
      more: asked.what,
      action: { label: 'Answer our question', to },
    }
  }
  switch (company?.state) {
    case 'accepted':
      return { mark: 'done', words: 'We have confirmed your company.' }
    case 'in_review':
      return { mark: 'waiting', words: 'Your company is in review. We’ll email you our decision.' }
    case 'refused':
      return {
        mark: 'wrong',
        words: 'We couldn’t confirm your company.',
        more: company?.reason ?? undefined,
        action: { label: 'Send your company again', to },
      }
    case undefined:
      return {
        mark: 'missing',
        words: 'You haven’t added your company yet.',
        action: { label: 'Add your company', to },
      }
  }
}

function bankFact({ hasBankAccount }: Known['profile']): BusinessFact {
  if (hasBankAccount) return { mark: 'done', words: 'We have your bank account.' }
  return {
    mark: 'missing',
    words: 'You haven’t added a bank account yet.',
    action: { label: 'Add a bank account', to: '/doctor/bank-account' },
  }
}

/** Facts on a provider's dashboard about their company, bank account and open questions. */
export function businessFacts({ profile, verification }: Known): BusinessFact[] {
  const { asked, verification_status: status } = verification
  const facts = [companyFact(verification), bankFact(profile)]
  // Before they are Verified the button above leads there.
  if (asked?.about !== 'registration' || status !== 'Verified') return facts
  const question: BusinessFact = {
    mark: 'wrong',
    words: 'We asked you about your registration.',
    more: asked.what,
    action: { label: 'Answer our question', to: '/provider-verify' },
  }
  return [question, ...facts]
}
