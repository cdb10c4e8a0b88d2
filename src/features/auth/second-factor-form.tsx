import { useEffect, useRef } from 'react'
import * as z from 'zod/mini'
import { useForm } from '#app/lib/use-form.ts'
import { Button } from '#app/ui/button.tsx'
import { TextInput } from '#app/ui/fields.tsx'
import { FormFrame } from '#app/ui/form-frame.tsx'
import { type Me, SecondFactor } from '#contract/auth.ts'

const SecondFactorInput = z.strictObject({ second_factor: SecondFactor })

type SecondFactorFormProps = {
  /** Signs in with the input of the first step and the code. */
  signIn: (code: { second_factor: string }) => Promise<{ me: Me }>
  onArrive: (me: Me) => Promise<void>
  onBack: () => void
}

/** Second step of signing in; the password from the first step is sent again with it. */
export function SecondFactorForm({ signIn, onArrive, onBack }: SecondFactorFormProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  // The focused element was removed with the first step.
  useEffect(() => heading.current?.focus(), [])
  const form = useForm({
    blank: { second_factor: '' },
    schema: SecondFactorInput,
    send: signIn,
    onSent: ({ me }) => onArrive(me),
    codeFields: { second_factor_wrong: 'second_factor' },
  })
  return (
    <FormFrame form={form} label="Two-step sign-in" failureTitle="Couldn’t sign you in">
      <h2 ref={heading} tabIndex={-1} className="text-xl font-semibold outline-none">
        Enter the code of your authenticator app
      </h2>
      <TextInput
        label="Code"
        hint="Six digits. Without your phone, use one of your recovery codes."
        inputMode="text"
        autoComplete="one-time-code"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={11}
        className="tabular max-w-52 tracking-widest"
        {...form.text('second_factor')}
      />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" size="large" isBusy={form.isBusy}>
          {form.isBusy ? 'Signing in' : 'Sign in'}
        </Button>
        <Button variant="quiet" size="large" onClick={onBack}>
          Back
        </Button>
      </div>
    </FormFrame>
  )
}
