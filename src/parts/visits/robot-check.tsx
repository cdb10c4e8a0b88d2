import { Suspense } from 'react'
import type { Failure } from '#app/lib/errors.ts'
import { late } from '#app/lib/late-code.ts'
import type { HoldCheckProps } from '#app/parts/captcha/hold-check.tsx'
import { Skeleton } from '#app/ui/page.tsx'
import type { ErrorCode } from '#contract/base/errors.ts'

type RobotCheckCode = Extract<ErrorCode, 'captcha_required' | 'captcha_invalid'>

/** Whether a time can be held once a robot check is passed. */
export function needsRobotCheck(
  failure: Failure | null,
): failure is Failure & { code: RobotCheckCode } {
  return failure?.code === 'captcha_required' || failure?.code === 'captcha_invalid'
}

const HoldCheck = late(async () => (await import('#app/parts/captcha/hold-check.tsx')).HoldCheck)

/** Asks for the robot check that `needsRobotCheck` found. Few people see it, so its code loads with it. */
export function RobotCheck(props: HoldCheckProps) {
  return (
    <Suspense fallback={<Skeleton className="h-64 w-full" />}>
      <HoldCheck {...props} />
    </Suspense>
  )
}
