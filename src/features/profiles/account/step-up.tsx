import { createContext, type ReactNode, use, useCallback, useId, useMemo, useState } from 'react'
import { describeFailure } from '#app/lib/errors.ts'
import { siteConfig } from '#app/lib/site-config.ts'
import { textFields, useForm } from '#app/lib/use-form.ts'
import { useMe } from '#app/parts/use-me.ts'
import { useApi } from '#app/trpc.ts'
import { Button } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { FormFrame } from '#app/ui/form-frame.tsx'
import { PasswordInput } from '#app/ui/password-input.tsx'
import { TextInput } from '#app/ui/text-input.tsx'
import { StepUpInput } from '#contract/auth.ts'

/** Runs an act; when the server wants to know who it is first, asks, and runs it once more. */
type Proving = <Answer>(act: () => Promise<Answer>) => Promise<Answer>

const ProvingContext = createContext<Proving>((act) => act())

/** The way to do a sensitive change: `prove(() => api.auth.removeSecondFactor.mutate())`. */
export function useProving(): Proving {
  return use(ProvingContext)
}

type Waiting = { onProved: () => void; onDismissed: () => void }

/** Holds the dialog that asks for the password, or for the code of the authenticator app. */
export function StepUpProvider({ children }: { children: ReactNode }) {
  const [waiting, setWaiting] = useState<Waiting | null>(null)

  const prove = useCallback(async <Answer,>(act: () => Promise<Answer>): Promise<Answer> => {
    try {
      return await act()
    } catch (error) {
      if (describeFailure(error).code !== 'step_up_required') throw error
      const isProved = await new Promise<boolean>((resolve) => {
        setWaiting({ onProved: () => resolve(true), onDismissed: () => resolve(false) })
      })
      if (!isProved) throw error
      return act()
    }
  }, [])

  const end = (how: keyof Waiting) => {
    waiting?.[how]()
    setWaiting(null)
  }
  return (
    <ProvingContext value={useMemo(() => prove, [prove])}>
      {children}
      <Dialog
        isOpen={waiting !== null}
        onClose={() => end('onDismissed')}
        title="Confirm that it is you"
      >
        <StepUpForm onProved={() => end('onProved')} />
      </Dialog>
    </ProvingContext>
  )
}

function StepUpForm({ onProved }: { onProved: () => void }) {
  const id = useId()
  const api = useApi()
  const { data: me } = useMe()
  const hasApp = me?.has_second_factor ?? false
  const isDemoAccount = siteConfig().demo && me?.email.endsWith('@demo.example')
  const form = useForm({
    blank: { password: '', second_factor: '' },
    schema: StepUpInput,
    toInput: ({ password, second_factor }) => (hasApp ? { second_factor } : { password }),
    send: (input) => api.auth.stepUp.mutate(input),
    onSent: onProved,
    codeFields: { password_wrong: 'password', second_factor_wrong: 'second_factor' },
  })
  const text = textFields(form, id)
  return (
    <FormFrame form={form} id={id} label="Confirm that it is you" failureTitle="Not confirmed">
      {hasApp ? (
        <TextInput
          label="Code of your authenticator app"
          hint="Six digits, or one of your recovery codes."
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
          className="tabular max-w-52 tracking-widest"
          {...text('second_factor')}
        />
      ) : (
        <PasswordInput
          label="Your password"
          hint={
            isDemoAccount
              ? 'That of all demo accounts is Apposite-demo-1.'
              : 'This change needs it once more. It then counts for five minutes.'
          }
          autoComplete="current-password"
          {...text('password')}
        />
      )}
      <div>
        <Button type="submit" isBusy={form.isBusy}>
          Confirm
        </Button>
      </div>
    </FormFrame>
  )
}
