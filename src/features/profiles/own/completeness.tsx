import { Link } from '@tanstack/react-router'
import { Check, ChevronRight, Circle } from 'lucide-react'
import { cx } from '#app/lib/cx.ts'
import { Card } from '#app/ui/page.tsx'
import type { OwnProfile } from '#contract/profiles-own.ts'

type Step = OwnProfile['steps'][number]

const stepLabels: Record<Step['key'], string> = {
  about: 'Say who you are and how you work',
  place: 'Add a practice place',
  hours: 'Set your hours',
  photo: 'Add a photo',
  verified: 'Have your registration checked',
}

const row =
  'flex min-h-11 items-center gap-3 rounded-field px-2 -mx-2 transition-colors duration-150'

function StepName({ step }: { step: Step }) {
  return (
    <span className="min-w-0 flex-1">
      {stepLabels[step.key]}
      {!step.isDone && !step.isRequired && <span className="text-muted"> (recommended)</span>}
    </span>
  )
}

function StepLink({ step }: { step: Step }) {
  const content = (
    <>
      <Circle aria-hidden="true" className="size-5 shrink-0 text-muted" />
      <span className="sr-only">To do: </span>
      <StepName step={step} />
      <ChevronRight aria-hidden="true" className="size-4.5 text-muted" />
    </>
  )
  const linkClass = cx(row, 'font-medium text-brand-deep hover:bg-tint')
  if (step.key === 'hours') {
    return (
      <Link to="/doctor/availability/new" className={linkClass}>
        {content}
      </Link>
    )
  }
  if (step.key === 'verified') {
    return (
      <Link to="/provider-verify" className={linkClass}>
        {content}
      </Link>
    )
  }
  const part = step.key === 'place' ? 'places' : step.key
  return (
    <a href={`#${part}`} className={linkClass}>
      {content}
    </a>
  )
}

/** How much of the profile is complete, with a link to each remaining step. */
export function Completeness({ profile }: { profile: OwnProfile }) {
  const { steps } = profile
  const done = steps.filter(({ isDone }) => isDone).length
  const percent = Math.round((done / steps.length) * 100)
  const isListed = steps.every(({ isDone, isRequired }) => isDone || !isRequired)
  return (
    <Card>
      <h2 className="text-lg font-semibold" id="completeness-title">
        {percent === 100 ? 'Your profile is complete' : `Your profile is ${percent}% complete`}
      </h2>
      <div
        role="progressbar"
        aria-labelledby="completeness-title"
        aria-valuenow={percent}
        aria-valuemin={0}
        aria-valuemax={100}
        className="mt-3 h-2 overflow-hidden rounded-full bg-sunken"
      >
        <div className="h-full rounded-full bg-brand" style={{ width: `${percent}%` }} />
      </div>
      <p className="mt-3 text-muted">
        {isListed
          ? 'Patients can find you in search.'
          : 'Patients can find you once the required steps below are done.'}
      </p>
      <ul className="mt-3 flex flex-col">
        {steps.map((step) => (
          <li key={step.key}>
            {step.isDone ? (
              <div className={cx(row, 'text-muted')}>
                <Check aria-hidden="true" className="stroke-[2] size-5 shrink-0 text-ok" />
                <span className="sr-only">Done: </span>
                <StepName step={step} />
              </div>
            ) : (
              <StepLink step={step} />
            )}
          </li>
        ))}
      </ul>
    </Card>
  )
}
