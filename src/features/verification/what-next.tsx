import { BadgeCheck, Mail, UserRoundCheck } from 'lucide-react'
import type { OwnVerification } from '#contract/verification.ts'

const NEXT_STEPS = [
  [UserRoundCheck, 'Our staff compare once more and decide. Those that match come first.'],
  [Mail, 'You hear from us by mail, whichever way it goes.'],
  [BadgeCheck, 'Then patients find you. Your hours can be set before that.'],
] as const

/** What happens after this page, for whoever still waits for it. */
export function WhatNext({ verification }: { verification: OwnVerification }) {
  if (verification.state !== 'waiting') return null
  return (
    <section aria-labelledby="what-next" className="border-t border-line pt-6">
      <h2 id="what-next" className="text-lg font-semibold">
        What happens next
      </h2>
      <ol className="mt-3 flex flex-col gap-3">
        {NEXT_STEPS.map(([Icon, text]) => (
          <li key={text} className="flex gap-3">
            <Icon
              aria-hidden="true"
              strokeWidth={1.75}
              className="mt-0.5 size-5 shrink-0 text-brand"
            />
            {text}
          </li>
        ))}
      </ol>
    </section>
  )
}
