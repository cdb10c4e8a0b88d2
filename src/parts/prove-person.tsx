import { useMutation } from '@tanstack/react-query'
import { describeFailure } from '#app/lib/errors.ts'
import { trpc } from '#app/trpc.ts'
import { Button } from '#app/ui/button.tsx'
import { errorMessage } from '#contract/sentences.ts'
import { CaptchaField, useCaptcha } from './captcha.tsx'

/** Lifts the rate limit of a network that has searched a lot, once a captcha is solved. */
export function ProvePerson({ onProved }: { onProved: () => void }) {
  const { client } = trpc.useUtils()
  const captcha = useCaptcha()
  const prove = useMutation({
    mutationFn: async () => {
      const captchaValue = await captcha.solve()
      if (captchaValue === undefined) throw new Error('The challenge was not solved.')
      return client.search.prove.mutate({ captchaValue })
    },
    onSuccess: onProved,
    onSettled: () => captcha.renew(),
  })
  return (
    <section
      aria-labelledby="prove-title"
      className="rounded-card border border-line bg-surface p-6 sm:p-8"
    >
      <h2 id="prove-title" className="text-xl font-semibold">
        A quick check before you search again
      </h2>
      <p className="mt-2 max-w-prose text-muted">
        There have been a lot of searches from your network. {errorMessage('captcha_required')}
      </p>
      <div className="mt-6 max-w-80">
        <CaptchaField captcha={captcha} />
      </div>
      <Button className="mt-4" isBusy={prove.isPending} onClick={() => prove.mutate()}>
        Continue
      </Button>
      <p role="alert" className="mt-2 font-medium text-danger">
        {prove.error && describeFailure(prove.error).sentence}
      </p>
    </section>
  )
}
