import { useMutation } from '@tanstack/react-query'
import { Suspense, useEffect, useRef, useState } from 'react'
import { useFocusWhenLost } from '#app/lib/browser-hooks.ts'
import { saveFile } from '#app/lib/files.ts'
import { useForm } from '#app/lib/forms/use-form.ts'
import { late } from '#app/lib/late-code.ts'
import { useStepUp } from '#app/parts/step-up.tsx'
import { useInvalidateMe } from '#app/parts/use-me.ts'
import { trpc } from '#app/trpc.ts'
import { Button, buttonClass } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { CodeInput } from '#app/ui/form-controls.tsx'
import { FormButtons, FormFrame } from '#app/ui/form-frame.tsx'
import { Badge, Notice } from '#app/ui/notice.tsx'
import { Skeleton } from '#app/ui/page.tsx'
import { showToast } from '#app/ui/toast.tsx'
import type { Me } from '#contract/auth.ts'
import { ConfirmSecondFactorInput, type SecondFactorSetup } from '#contract/auth-second-factor.ts'
import { AccountSection, ErrorNotice, StateRow } from './account-section.tsx'

const QrCode = late(async () => (await import('./qr-code.tsx')).QrCode)

type Stage =
  | { name: 'rest' }
  | { name: 'setup'; setup: SecondFactorSetup }
  | { name: 'codes'; codes: readonly string[] }

/** Two-step sign-in with an authenticator app: set up, change, turn off. */
export function SecondFactorSection({ me }: { me: Me }) {
  const { client } = trpc.useUtils()
  const prove = useStepUp()
  const invalidateMe = useInvalidateMe()
  const [stage, setStage] = useState<Stage>({ name: 'rest' })
  const [isAsking, setAsking] = useState(false)
  const start = useRef<HTMLButtonElement>(null)
  useFocusWhenLost(start, `${stage.name} ${me.has_second_factor}`)
  const begin = useMutation({
    mutationFn: () => prove(() => client.auth.beginSecondFactor.mutate()),
    onSuccess: (setup) => setStage({ name: 'setup', setup }),
  })
  const remove = useMutation({
    mutationFn: () => prove(() => client.auth.removeSecondFactor.mutate()),
    onMutate: () => setAsking(false),
    onSuccess: async () => {
      await invalidateMe()
      void showToast('The authenticator app is off.')
    },
  })
  return (
    <AccountSection
      id="second-factor"
      title="Two-step sign-in"
      lead="After the password, a code from an app on your phone. That way a stolen password isn’t enough."
    >
      {stage.name === 'rest' && (
        <div className="flex flex-col gap-4">
          <ErrorNotice error={begin.error ?? remove.error} title="Nothing was changed" />
          <StateRow
            action={
              <>
                <Button
                  ref={start}
                  variant="secondary"
                  isBusy={begin.isPending}
                  onClick={() => begin.mutate()}
                >
                  {me.has_second_factor ? 'Set up another app' : 'Set up an authenticator app'}
                </Button>
                {me.has_second_factor && (
                  <Button variant="quiet" isBusy={remove.isPending} onClick={() => setAsking(true)}>
                    Turn off
                  </Button>
                )}
              </>
            }
          >
            <p className="flex flex-wrap items-center gap-3">
              Authenticator app
              <Badge tone={me.has_second_factor ? 'ok' : 'plain'}>
                {me.has_second_factor ? 'On' : 'Off'}
              </Badge>
            </p>
          </StateRow>
        </div>
      )}
      {stage.name === 'setup' && (
        <SecondFactorSetupForm
          setup={stage.setup}
          onConfirmed={async (codes) => {
            setStage({ name: 'codes', codes })
            await invalidateMe()
          }}
          onCancel={() => setStage({ name: 'rest' })}
        />
      )}
      {stage.name === 'codes' && (
        <RecoveryCodes codes={stage.codes} onDone={() => setStage({ name: 'rest' })} />
      )}
      <Dialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title="Turn off two-step sign-in?"
        footer={
          <>
            <Button variant="danger" onClick={() => remove.mutate()}>
              Turn off
            </Button>
            <Button variant="secondary" onClick={() => setAsking(false)}>
              Keep it
            </Button>
          </>
        }
      >
        <p>You’ll sign in with just your password, and your recovery codes will stop working.</p>
      </Dialog>
    </AccountSection>
  )
}

type SetupFormProps = {
  setup: SecondFactorSetup
  onConfirmed: (codes: readonly string[]) => Promise<void>
  onCancel: () => void
}

/** Groups of four are easier to type off a screen. */
function grouped(secret: string): string {
  return secret.match(/.{1,4}/g)?.join(' ') ?? secret
}

/** Shows the secret once, as a QR code and as text, and asks for the app's first code. */
function SecondFactorSetupForm({ setup, onConfirmed, onCancel }: SetupFormProps) {
  const { client } = trpc.useUtils()
  const prove = useStepUp()
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

type RecoveryCodesProps = { codes: readonly string[]; onDone: () => void }

/** The recovery codes, shown this once. */
function RecoveryCodes({ codes, onDone }: RecoveryCodesProps) {
  const start = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    start.current?.focus()
    start.current?.scrollIntoView()
  }, [])
  const text = `${codes.join('\n')}\n`
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      await showToast('Copied.')
    } catch {
      await showToast('Your browser blocked copying. Use “Save as file” instead.')
    }
  }
  return (
    <div className="flex flex-col gap-4">
      <h3 ref={start} tabIndex={-1} className="text-lg font-semibold outline-none">
        Save your recovery codes
      </h3>
      <Notice kind="warn" title="We’ll only show them once">
        <p>
          Each of them signs you in once without your phone. Keep them on paper, or in a password
          manager.
        </p>
      </Notice>
      <ul className="tabular grid w-full max-w-96 grid-cols-2 gap-x-6 gap-y-1 rounded-card border border-line bg-sunken p-4 font-semibold">
        {codes.map((code) => (
          <li key={code} className="select-all">
            {code}
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-3">
        <Button onClick={onDone}>I’ve saved them</Button>
        <Button variant="secondary" onClick={() => void copy()}>
          Copy
        </Button>
        <Button
          variant="secondary"
          onClick={() => saveFile('apposite-recovery-codes.txt', text, 'text/plain')}
        >
          Save as file
        </Button>
      </div>
    </div>
  )
}
