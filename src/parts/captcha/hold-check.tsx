import { useMutation } from '@tanstack/react-query'
import type { Failure } from '#app/lib/errors.ts'
import { Button } from '#app/ui/button.tsx'
import { CaptchaField, useCaptcha } from './captcha.tsx'

/** From this much work on, a check takes long enough to say so. */
const LONG_WORK = 4

export type HoldCheckProps = {
  failure: Failure
  /** Called with the solution to send with the next request. */
  onSolved: (captchaValue: string) => void
}

/** The robot check before a time is held, where a lot of times are being held. */
export function HoldCheck({ failure, onSolved }: HoldCheckProps) {
  const captcha = useCaptcha()
  const solve = useMutation({
    mutationFn: async () => {
      const captchaValue = await captcha.solve()
      if (captchaValue === undefined) throw new Error('The challenge was not solved.')
      return captchaValue
    },
    onSuccess: onSolved,
    onError: () => captcha.renew(),
  })
  return (
    <section
      aria-labelledby="hold-check"
      className="rounded-card border border-line bg-surface p-6 text-left"
    >
      <h2 id="hold-check" className="text-xl font-semibold">
        Confirm you’re not a robot
      </h2>
      <p className="mt-2 text-muted">
        A lot of appointments are being held right now, so we check who is asking. Then we’ll hold
        this time for you for 15 minutes.
        {failure.work >= LONG_WORK && ' The check can take up to a minute.'}
      </p>
      <div className="mt-5 max-w-80">
        <CaptchaField captcha={captcha} work={failure.work} />
      </div>
      <Button className="mt-4" isBusy={solve.isPending} onClick={() => solve.mutate()}>
        Hold this time
      </Button>
      <p role="alert" className="mt-2 font-medium text-danger empty:hidden">
        {solve.isError && 'We couldn’t confirm that you’re not a robot. Try again.'}
        {solve.isIdle && failure.code === 'captcha_invalid' && failure.sentence}
      </p>
    </section>
  )
}
