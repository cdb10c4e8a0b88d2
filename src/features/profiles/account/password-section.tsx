import { useForm } from '#app/lib/use-form.ts'
import { trpc } from '#app/trpc.ts'
import { FormButtons, FormFrame } from '#app/ui/form-frame.tsx'
import { PasswordInput } from '#app/ui/password-input.tsx'
import { showToast } from '#app/ui/toast.tsx'
import { ChangePasswordInput, type Me, PASSWORD_MIN, PASSWORD_RECOMMENDED } from '#contract/auth.ts'
import { AccountSection, RevealedForm, UsernameHint } from './account-section.tsx'
import { useInvalidateAccessTokens } from './token-text.ts'

const blank = { current_password: '', new_password: '', confirm_password: '' }

/** A new password ends all sessions but this one. */
export function PasswordSection({ me }: { me: Me }) {
  return (
    <AccountSection
      id="password"
      title="Password"
      lead="Changing it signs you out on all other devices and ends your access tokens."
    >
      <RevealedForm
        now={
          <p>
            <span aria-hidden="true" className="tracking-widest">
              ••••••••••
            </span>
            <span className="sr-only">Set</span>
          </p>
        }
        action="Change password"
      >
        {(close) => <PasswordForm email={me.email} onClose={close} />}
      </RevealedForm>
    </AccountSection>
  )
}

function PasswordForm({ email, onClose }: { email: string; onClose: () => void }) {
  const utils = trpc.useUtils()
  const invalidateTokens = useInvalidateAccessTokens()
  const form = useForm({
    blank,
    schema: ChangePasswordInput,
    send: (input) => utils.client.auth.changePassword.mutate(input),
    onSent: async () => {
      await Promise.all([utils.auth.sessions.invalidate(), invalidateTokens()])
      void showToast('Your password is changed. Other devices are signed out.')
      onClose()
    },
    codeFields: { password_wrong: 'current_password' },
  })
  return (
    <FormFrame form={form} label="Change password" failureTitle="Nothing was changed">
      <UsernameHint email={email} />
      <PasswordInput
        label="Current password"
        autoComplete="current-password"
        {...form.text('current_password')}
      />
      <PasswordInput
        label="New password"
        autoComplete="new-password"
        hint={`At least ${PASSWORD_MIN} characters; ${PASSWORD_RECOMMENDED} or more are better.`}
        {...form.text('new_password')}
      />
      <PasswordInput
        label="Confirm new password"
        autoComplete="new-password"
        {...form.text('confirm_password')}
      />
      <FormButtons send="Change password" isBusy={form.isBusy} onCancel={onClose} />
    </FormFrame>
  )
}
