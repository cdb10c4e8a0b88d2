import { Check } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { cx } from '#app/lib/cx.ts'
import { PageTitle } from '#app/ui/page-title.tsx'

export type Step = 1 | 2 | 3

/** Names and titles of the steps (specification, section 2). */
const steps = [
  { step: 1, name: 'Appointment Info', title: 'Appointment Info' },
  { step: 2, name: 'Medical Concern', title: 'Purpose of your visit' },
  { step: 3, name: 'OTP verification', title: 'Confirmation' },
] as const

/** Shown below the payment methods, before and during the hold. */
export const PAY_LATER =
  'You pay at the end, once you have confirmed a code that we email you. You won’t be charged until then.'

function Progress({ current }: { current: Step }) {
  return (
    <>
      <ol aria-label="Steps" className="grid grid-cols-3 gap-2 sm:gap-3">
        {steps.map(({ step, name }) => (
          <li
            key={step}
            aria-current={step === current ? 'step' : undefined}
            className={cx(
              'flex items-center gap-1.5 border-t-4 text-sm leading-tight sm:pt-2',
              step <= current ? 'border-brand' : 'border-line',
              step === current ? 'font-semibold' : 'text-muted',
            )}
          >
            {step < current && (
              <Check
                aria-hidden="true"
                className="stroke-[2.5] size-4 shrink-0 text-brand max-sm:hidden"
              />
            )}
            <span className="max-sm:sr-only">
              <span className="sr-only">
                Step {step}
                {step < current ? ', done' : ''}:{' '}
              </span>
              {name}
            </span>
          </li>
        ))}
      </ol>
      {/* For phones, where three names do not fit; screen readers get them from the list. */}
      <p aria-hidden="true" className="mt-2 text-sm text-muted sm:hidden">
        Step {current} of 3: {steps[current - 1]?.name}
      </p>
    </>
  )
}

type StepFrameProps = { step: Step; children: ReactNode }

/** Frame of a step with its documented title, which takes focus when the step changes. */
export function StepFrame({ step, children }: StepFrameProps) {
  const title = steps[step - 1]?.title ?? ''
  const heading = useRef<HTMLHeadingElement>(null)
  const shown = useRef(step)
  useEffect(() => {
    if (shown.current === step) return
    shown.current = step
    heading.current?.focus({ preventScroll: true })
  }, [step])
  return (
    <>
      <PageTitle title={`${title}, step ${step} of 3`} />
      <Progress current={step} />
      <h1 ref={heading} tabIndex={-1} className="mt-4 text-2xl font-semibold sm:mt-6 sm:text-3xl">
        {title}
      </h1>
      <div className="mt-5 sm:mt-6">{children}</div>
    </>
  )
}

/** Next and Back at the end of a step: Next comes first on phones and last on wide screens. */
export function StepActions({ children }: { children: ReactNode }) {
  return (
    <div className="flex flex-wrap-reverse items-center justify-between gap-3 border-t border-line pt-6 max-sm:[&>*]:w-full">
      {children}
    </div>
  )
}
