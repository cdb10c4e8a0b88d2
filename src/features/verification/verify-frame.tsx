import { Check } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { cx } from '#app/lib/cx.ts'
import { PageTitle } from '#app/ui/page-title.tsx'
import { STEPS, type VerifyStep } from './steps.ts'

type StepperProps = { current: VerifyStep; done: readonly VerifyStep[] }

/** Where one is on the way; nothing to press, the pages themselves lead on. */
function Stepper({ current, done }: StepperProps) {
  return (
    <ol aria-label="Steps" className="flex items-center gap-1.5 text-sm sm:gap-3">
      {STEPS.map((step, at) => {
        const isDone = done.includes(step)
        const isCurrent = step === current
        return (
          <li
            key={step}
            aria-current={isCurrent ? 'step' : undefined}
            className={cx('flex items-center gap-1.5 sm:gap-3', at < STEPS.length - 1 && 'flex-1')}
          >
            <span
              className={cx(
                'flex items-center gap-1.5 font-semibold sm:gap-2',
                isCurrent ? 'text-ink' : 'text-muted',
              )}
            >
              <span
                aria-hidden="true"
                className={cx(
                  'tabular flex size-6 shrink-0 sm:size-7 items-center justify-center rounded-full border',
                  isCurrent && 'border-transparent bg-brand text-on-brand',
                  !isCurrent && isDone && 'border-transparent bg-tint text-brand-deep',
                  !isCurrent && !isDone && 'border-field',
                )}
              >
                {isDone ? <Check className="size-4" strokeWidth={2.5} /> : at + 1}
              </span>
              {step}
              {isDone && <span className="sr-only">, done</span>}
            </span>
            {at < STEPS.length - 1 && (
              <span aria-hidden="true" className="h-px min-w-1.5 flex-1 bg-line" />
            )}
          </li>
        )
      })}
    </ol>
  )
}

type VerifyFrameProps = StepperProps & {
  title: string
  lead?: ReactNode
  children: ReactNode
  /** Below the card, quieter than it. */
  below?: ReactNode
}

/** One step of a provider's verification: where one is, what there is to do, and the way on. */
export function VerifyFrame({ current, done, title, lead, children, below }: VerifyFrameProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  // Another step in the place of the one before: its heading takes the focus that was there.
  useEffect(() => heading.current?.focus({ preventScroll: true }), [])
  return (
    <div className="flex flex-col gap-6">
      <Stepper current={current} done={done} />
      <div className="sm:rounded-card sm:border sm:border-line sm:bg-surface sm:p-8">
        <PageTitle title={title} />
        <h1 ref={heading} tabIndex={-1} className="text-2xl font-semibold">
          {title}
        </h1>
        {lead && <p className="mt-2 text-lg text-muted">{lead}</p>}
        <div className="mt-6 flex flex-col gap-6">{children}</div>
      </div>
      {below}
    </div>
  )
}
