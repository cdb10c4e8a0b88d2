import { lazy, Suspense, useEffect, useRef } from 'react'
import { useForm } from '#app/lib/use-form.ts'
import { useProving } from '#app/parts/step-up.tsx'
import { trpc } from '#app/trpc.ts'
import { buttonClass } from '#app/ui/button.tsx'
import { CodeInput } from '#app/ui/code-input.tsx'
import { FormButtons, FormFrame } from '#app/ui/form-frame.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { ConfirmSecondFactorInput, type SecondFactorSetup } from '#contract/auth.ts'

const QrCode = lazy(async () => ({ default: (await import('./qr-code.tsx')).QrCode }))

type SetupFormProps = {
  setup: SecondFactorSetup
  onConfirmed: (codes: readonly string[]) => Promise<void>
  onCancel: () => void
}

/** Groups of four are easier to type off a screen. */
function grouped(secret: string): string {
  return secret.match(/.{1,4}/g)?.join(' ') ?? secret
}

/** Shows the secret once, as a picture and as text, and takes the first code of the app. */
export function SecondFactorSetupForm({ setup, onConfirmed, onCancel }: SetupFormProps) {
  const { client } = trpc.useUtils()
  const prove = useProving()
  const start = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    start.current?.focus()
    start.current?.scrollIntoView()
  }, [])
  const form = useForm({
    blank: { code: '' },
    schema: ConfirmSecondFactorInput,
    send: (input) => prove(() => client.auth.confirmSecondFactor.mutate(input)),
    onSent: (answer) => onConfirmed(answer.recovery_codes),
    codeFields: { second_factor_wrong: 'code' },
  })
  return (
    <div className="flex flex-col gap-6">
      <div>
        <h3 ref={start} tabIndex={-1} className="text-lg font-semibold outline-none">
          1. Add Apposite to your app
        </h3>
        <p className="mt-1">
          Scan this with an authenticator app such as Aegis, FreeOTP, 1Password or Google
          Authenticator.
        </p>
        <div className="mt-4">
          <Suspense fallback={<Skeleton className="size-52" />}>
            <QrCode text={setup.uri} label="QR code for your authenticator app" />
          </Suspense>
        </div>
        {/* Nobody can scan the screen of the phone in their hand. */}
        <div className="mt-4 hidden pointer-coarse:block">
          <a href={setup.uri} className={buttonClass('secondary')}>
            Open in the app on this phone
          </a>
        </div>
        <p className="mt-4">
          Or enter this key:{' '}
          <code className="block rounded-field bg-sunken px-3 py-2 font-mono font-semibold break-words select-all sm:inline-block">
            {grouped(setup.secret)}
          </code>
        </p>
      </div>
      <div>
        <h3 className="text-lg font-semibold">2. Confirm</h3>
        <FormFrame
          form={form}
          label="Confirm the app"
          failureTitle="Not confirmed"
          className="mt-4"
        >
          <CodeInput label="Code the app shows now" hint="Six digits." {...form.text('code')} />
          <FormButtons send="Turn on" isBusy={form.isBusy} onCancel={onCancel} />
        </FormFrame>
      </div>
    </div>
  )
}
