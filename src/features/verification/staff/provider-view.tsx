import { Link, useNavigate } from '@tanstack/react-router'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { cx } from '#app/lib/cx.ts'
import { describeFailure } from '#app/lib/errors.ts'
import { readStored, writeStored } from '#app/lib/storage.ts'
import { StaffHeading } from '#app/parts/dashboard-frame.tsx'
import { DataBoundary, LoadFailure, type LoadFailureProps } from '#app/parts/data-boundary.tsx'
import { RoleReason } from '#app/parts/role-guard.tsx'
import { trpc } from '#app/trpc.ts'
import { buttonClass, LinkButton, TextLink } from '#app/ui/button.tsx'
import { Switch } from '#app/ui/form-controls.tsx'
import { EmptyState } from '#app/ui/notice.tsx'
import { Breadcrumb, Card, PendingShapes } from '#app/ui/page.tsx'
import type { ProviderId } from '#contract/base/ids.ts'
import type { Region } from '#contract/base/region.ts'
import type {
  StaffProvider,
  StaffProviderInput,
  VerificationQueue,
} from '#contract/verification-staff.ts'
import { CompanyPart } from './company-part.tsx'
import { DecisionPart } from './decision-part.tsx'
import { ProfilePart, StatusBadge } from './profile-part.tsx'
import { ProofPart } from './proof-part.tsx'
import { HistoryPart, RegisterPart } from './register-part.tsx'
import { freshOptions, useQueue } from './use-provider.ts'

/** Shown if there is no such provider. */
export function NoProvider() {
  return (
    <div className="mt-6">
      <EmptyState
        title="No such provider"
        actions={<LinkButton to="/admin-home/providers">All providers</LinkButton>}
      >
        <p>They may have deleted their account, or the link is for another region.</p>
      </EmptyState>
    </div>
  )
}

/** No such provider, or a failed request: either way there is a way on. */
function notThere(failure: LoadFailureProps) {
  const { code } = describeFailure(failure.error)
  if (code === 'not_found' || code === 'invalid_input') return <NoProvider />
  return (
    <div className="mt-6">
      <LoadFailure {...failure} />
    </div>
  )
}

/** The public registration, for roles that do not verify, and why the rest is hidden. */
function PublicPart({ provider }: { provider: StaffProvider }) {
  const { professional_body_name: body, membership_number: number } = provider
  return (
    <Card>
      <section aria-labelledby="register">
        <h2 id="register" className="text-xl font-semibold">
          Registration
        </h2>
        <p className="mt-2">
          {body}, <span className="tabular">{number ?? 'number not public'}</span>
        </p>
        <RoleReason act="verify" className="mt-4" />
      </section>
    </Card>
  )
}

type LoadedProps = { input: StaffProviderInput; queue: VerificationQueue | undefined }

function Loaded({ input, queue }: LoadedProps) {
  const [provider] = trpc.verification.provider.useSuspenseQuery(input, freshOptions)
  const { evidence } = provider
  return (
    <div className="mt-6 grid items-start gap-6 xl:grid-cols-[minmax(0,1fr)_20rem]">
      <div className="flex min-w-0 flex-col gap-6">
        {evidence === null ? (
          <PublicPart provider={provider} />
        ) : (
          <>
            <RegisterPart provider={provider} evidence={evidence} />
            <ProofPart providerId={provider.providerId} evidence={evidence} />
            <DecisionPart provider={provider} evidence={evidence} queue={queue} />
            <CompanyPart companies={evidence.companies} />
            <HistoryPart evidence={evidence} />
          </>
        )}
      </div>
      <ProfilePart provider={provider} />
    </div>
  )
}

/** The line below the name: status, specialty and locality. */
function Lead({ provider }: { provider: StaffProvider }) {
  return (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <StatusBadge status={provider.verification_status} />
      {[provider.specialty, provider.locality].filter(Boolean).join(', ')}
    </span>
  )
}

type ProviderViewProps = { providerId: ProviderId; region?: Region; isInVerified?: boolean }

/** A provider as staff see them: claim and register side by side, the decision, company and evidence. */
export function ProviderView({ providerId, region, isInVerified = false }: ProviderViewProps) {
  const input = { providerId, ...(region && { region }) }
  // For the heading, which renders before the rest and stays from one provider to the next.
  const { data } = trpc.verification.provider.useQuery(input, freshOptions)
  const { data: queue } = useQueue(providerId)
  return (
    <>
      <div className="mb-4">
        <Breadcrumb
          trail={[
            <TextLink key="all" to="/admin-home/providers">
              Providers
            </TextLink>,
            ...(isInVerified
              ? [
                  <TextLink key="verified" to="/admin-home/providers/verified">
                    Verified
                  </TextLink>,
                ]
              : []),
          ]}
          current={data?.name ?? 'Provider'}
        />
      </div>
      {!isInVerified && <QueueBar queue={queue} />}
      {/* One heading for all providers of the queue, so that it keeps focus from one to the next. */}
      <StaffHeading title={data?.name ?? 'Provider'} lead={data && <Lead provider={data} />} />
      <DataBoundary
        failed="This page didn’t load"
        renderFailure={notThere}
        pending={<PendingShapes className="mt-6 flex flex-col gap-6" shapes={['h-80', 'h-40']} />}
      >
        <Loaded key={providerId} input={input} queue={queue} />
      </DataBoundary>
    </>
  )
}

type Stop = VerificationQueue['next']

type StepProps = { stop: Stop; label: string; children: ReactNode }

/** A link to the previous or next provider in the queue; disabled, but in place, if there is none. */
function Step({ stop, label, children }: StepProps) {
  const linkClass = cx(buttonClass('secondary'), 'px-3')
  if (stop === null) {
    return (
      <button type="button" disabled aria-label={label} className={linkClass}>
        {children}
      </button>
    )
  }
  return (
    <Link
      to="/admin-home/providers/$providerId"
      params={{ providerId: stop.providerId }}
      aria-label={`${label}: ${stop.name}`}
      className={linkClass}
    >
      {children}
    </Link>
  )
}

const keyClass =
  'rounded border border-field bg-sunken px-1.5 font-sans text-sm font-semibold text-ink'

function positionText({ position, waiting }: VerificationQueue): string {
  if (waiting === 0) return 'Nobody is waiting'
  const all = waiting.toLocaleString('en-GB')
  return position === null
    ? `${all} waiting`
    : `${position.toLocaleString('en-GB')} of ${all} waiting`
}

const KEY = 'queueKeys'

/** Whether single-key shortcuts are on: they get in the way of some users of dictation or switch devices. */
function useShortcutSetting(): [boolean, () => void] {
  const [isOn, setOn] = useState(() => readStored(KEY) !== 'off')
  const toggle = () => {
    writeStored(KEY, isOn ? 'off' : null)
    setOn(!isOn)
  }
  return [isOn, toggle]
}

/** Whether key presses are text input, in a field or a dialog. */
function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  return target.isContentEditable || target.matches('input, textarea, select, [role="dialog"] *')
}

type QueueKeyOptions = {
  isOn: boolean
  onNext: (() => void) | null
  onPrevious: (() => void) | null
}

/** `n` or `j` go forward in the queue, `p` or `k` back; never while typing. */
function useQueueKeys({ isOn, onNext, onPrevious }: QueueKeyOptions): void {
  useEffect(() => {
    if (!isOn) return
    const move = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return
      if (event.defaultPrevented || isTyping(event.target)) return
      const key = event.key.toLowerCase()
      const go =
        key === 'n' || key === 'j' ? onNext : key === 'p' || key === 'k' ? onPrevious : null
      if (go === null) return
      event.preventDefault()
      go()
    }
    addEventListener('keydown', move)
    return () => removeEventListener('keydown', move)
  }, [isOn, onNext, onPrevious])
}

/** The position in the queue, with links to its neighbours and single-key shortcuts. */
function QueueBar({ queue }: { queue: VerificationQueue | undefined }) {
  const navigate = useNavigate()
  const [areKeysOn, toggleKeys] = useShortcutSetting()
  const goTo = (stop: Stop | undefined) =>
    stop
      ? () =>
          void navigate({
            to: '/admin-home/providers/$providerId',
            params: { providerId: stop.providerId },
          })
      : null
  useQueueKeys({
    isOn: areKeysOn,
    onNext: goTo(queue?.next),
    onPrevious: goTo(queue?.previous),
  })
  if (queue === undefined) return null
  return (
    <section
      aria-label="Queue"
      className="mb-6 flex flex-wrap items-center justify-between gap-x-6 gap-y-2 rounded-card border border-line bg-surface py-2 pr-2 pl-4 max-sm:pr-4"
    >
      <p className="tabular font-semibold">{positionText(queue)}</p>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Switch
          isOn={areKeysOn}
          onChange={toggleKeys}
          className="text-sm font-normal! text-muted pointer-coarse:hidden max-md:hidden"
        >
          <span>
            Keys <kbd className={keyClass}>n</kbd> next, <kbd className={keyClass}>p</kbd> previous
          </span>
        </Switch>
        <div className="flex gap-2">
          <Step stop={queue.previous} label="Previous in the queue">
            <ChevronLeft aria-hidden="true" className="size-5" />
            Previous
          </Step>
          <Step stop={queue.next} label="Next in the queue">
            Next
            <ChevronRight aria-hidden="true" className="size-5" />
          </Step>
        </div>
      </div>
    </section>
  )
}
