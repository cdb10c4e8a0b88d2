import { createContext, type ReactNode, use, useCallback, useEffect, useState } from 'react'
import { timeUntil } from '#app/lib/dates/server-clock.ts'
import { describeFailure } from '#app/lib/errors.ts'
import { useForm } from '#app/lib/forms/use-form.ts'
import { useSiteConfig } from '#app/lib/site-config.ts'
import { trpc } from '#app/trpc.ts'
import { Button } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { TextInput } from '#app/ui/fields.tsx'
import { PasswordInput } from '#app/ui/form-controls.tsx'
import { FormFrame } from '#app/ui/form-frame.tsx'
import { StepUpInput } from '#contract/auth-second-factor.ts'
import { useInvalidateMe, useMe } from './use-me.ts'

/** Runs an action, asking for step-up authentication if the server requires it. */
export type RunWithStepUp = <Answer>(act: () => Promise<Answer>) => Promise<Answer>

const StepUpContext = createContext<RunWithStepUp>((act) => act())

/** Runs a sensitive action: `prove(() => client.auth.removeSecondFactor.mutate())`. */
export function useStepUp(): RunWithStepUp {
  return use(StepUpContext)
}

/** Authentication valid for less than this may expire before the request arrives. */
const SOON_MS = 10_000

/** Whether the user has authenticated within the last five minutes, as far as the page knows. */
export function useHasStepUp(): () => boolean {
  const { data: me } = useMe()
  return () => {
    const until = me?.stepped_up_until ?? null
    return until !== null && timeUntil(until) > SOON_MS
  }
}

/** For dialogs that show the step-up form in their own frame, to avoid a second dialog on top. */
export type StepUpState = {
  /** Show `StepUpForm` now. */
  isAsking: boolean
  prove: RunWithStepUp
  end: (isProved: boolean) => void
}

/** Step-up for a component that shows the form itself while `isAsking` is true. */
export function useStepUpState(): StepUpState {
  const [waiting, setWaiting] = useState<{ end: (isProved: boolean) => void } | null>(null)
  const prove = useCallback(async <Answer,>(act: () => Promise<Answer>): Promise<Answer> => {
    try {
      return await act()
    } catch (error) {
      if (describeFailure(error).code !== 'step_up_required') throw error
      const isProved = await new Promise<boolean>((resolve) => setWaiting({ end: resolve }))
      if (!isProved) throw error
      return act()
    }
  }, [])
  const end = (isProved: boolean) => {
    waiting?.end(isProved)
    setWaiting(null)
  }
  return { isAsking: waiting !== null, prove, end }
}

/** Provides the dialog that asks for the password, or for the authenticator app's code. */
export function StepUpProvider({ children }: { children: ReactNode }) {
  const { isAsking, prove, end } = useStepUpState()
  return (
    <StepUpContext value={prove}>
      {children}
      <Dialog isOpen={isAsking} onClose={() => end(false)} title="Confirm it’s you">
        <StepUpForm onProved={() => end(true)} />
      </Dialog>
    </StepUpContext>
  )
}

type StepUpFormProps = {
  onProved: () => void
  /** Label of the button: the action being confirmed. */
  action?: string
  /** The action cannot be undone. */
  isDangerous?: boolean
  /** Shown beside the button. */
  aside?: ReactNode
  /** Takes focus when it replaces other content; an opening dialog sets focus itself. */
  takesFocus?: boolean
}

/** Asks for the password, or for the authenticator app's code if one is set up. */
export function StepUpForm(props: StepUpFormProps) {
  const { onProved, action = 'Confirm', isDangerous = false, aside } = props
  const { takesFocus = false } = props
  const { client } = trpc.useUtils()
  const { data: me } = useMe()
  const invalidateMe = useInvalidateMe()
  const hasApp = me?.has_second_factor ?? false
  const isDemoAccount = useSiteConfig().demo && me?.email.endsWith('@demo.example')
  const form = useForm({
    blank: { password: '', second_factor: '' },
    schema: StepUpInput,
    toInput: ({ password, second_factor }) => (hasApp ? { second_factor } : { password }),
    send: (input) => client.auth.stepUp.mutate(input),
    onSent: async () => {
      await invalidateMe()
      onProved()
    },
    codeFields: { password_wrong: 'password', second_factor_wrong: 'second_factor' },
  })
  useEffect(() => {
    if (takesFocus)
      document.getElementById(`${form.id}-${hasApp ? 'second_factor' : 'password'}`)?.focus()
  }, [takesFocus, form.id, hasApp])
  return (
    <FormFrame form={form} label="Confirm it’s you" failureTitle="Not confirmed">
      {hasApp ? (
        <TextInput
          label="Code from your authenticator app"
          hint="Six digits, or one of your recovery codes."
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
          className="tabular max-w-52 tracking-widest"
          {...form.text('second_factor')}
        />
      ) : (
        <PasswordInput
          label="Your password"
          hint={
            isDemoAccount
              ? 'Every demo account uses Apposite-demo-1.'
              : 'We’ll remember it for five minutes.'
          }
          autoComplete="current-password"
          {...form.text('password')}
        />
      )}
      <div className="flex flex-wrap gap-3">
        <Button type="submit" variant={isDangerous ? 'danger' : 'primary'} isBusy={form.isBusy}>
          {action}
        </Button>
        {aside}
      </div>
    </FormFrame>
  )
}

type StepUpDialogProps = {
  title: string
  proof: StepUpState
  onClose: () => void
  /** The form or question, which keeps its state during the step-up. */
  children: ReactNode
  /** Label of the step-up button. */
  action?: string
  /** The action cannot be undone. */
  isDangerous?: boolean
}

/**
 * A dialog for an action that needs step-up authentication, which replaces the form instead of opening over
 * it.
 */
export function StepUpDialog(props: StepUpDialogProps) {
  const { title, proof, onClose, children } = props
  const { action = 'Confirm and save', isDangerous = false } = props
  const { isAsking, end } = proof
  return (
    <Dialog
      isOpen
      onClose={isAsking ? () => end(false) : onClose}
      title={isAsking ? 'Confirm it’s you' : title}
    >
      <InlineStepUp proof={proof} action={action} isDangerous={isDangerous}>
        {children}
      </InlineStepUp>
    </Dialog>
  )
}

type InlineStepUpProps = Pick<StepUpFormProps, 'action' | 'isDangerous'> & {
  proof: StepUpState
  children: ReactNode
}

/** Step-up authentication in place of a form, which keeps its state. */
export function InlineStepUp({ proof, children, ...form }: InlineStepUpProps) {
  const { isAsking, end } = proof
  return (
    <>
      <div hidden={isAsking}>{children}</div>
      {isAsking && (
        <StepUpForm
          {...form}
          takesFocus
          onProved={() => end(true)}
          aside={
            <Button variant="quiet" onClick={() => end(false)}>
              Back
            </Button>
          }
        />
      )}
    </>
  )
}
