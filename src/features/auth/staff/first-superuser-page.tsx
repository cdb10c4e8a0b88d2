import { BarePage, submitClass } from '#app/features/auth/auth-page.tsx'
import { useCompleteSignIn } from '#app/features/auth/auth-search.ts'
import { InsecureNotice } from '#app/features/auth/insecure-notice.tsx'
import { NewPasswordInput } from '#app/features/auth/new-password-input.tsx'
import { useForm } from '#app/lib/use-form.ts'
import { trpc } from '#app/trpc.ts'
import { Button, LinkButton } from '#app/ui/button.tsx'
import { FormFrame } from '#app/ui/form-frame.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { PasswordInput } from '#app/ui/password-input.tsx'
import { TextInput } from '#app/ui/text-input.tsx'
import { errorMessage } from '#contract/sentences.ts'
import { AddFirstInput } from '#contract/super-users.ts'

/** `/admin-start`: creates the first superuser of an installation, with the link printed by its server. */
export function FirstSuperuserPage({ token }: { token: string | null }) {
  if (token === null) {
    return (
      <BarePage title="Open the printed link again">
        <p>
          The link isn’t kept in this page’s address, so nobody can find it there. Open it again
          from where the server was started. As long as there are no staff, each start prints a new
          link.
        </p>
        <SignInLink />
      </BarePage>
    )
  }
  return (
    <BarePage
      title="Make the first superuser"
      lead="This installation has no staff yet. You’ll add everyone else."
    >
      <InsecureNotice />
      <FirstSuperuserForm token={token} />
    </BarePage>
  )
}

function SignInLink() {
  return (
    <div>
      <LinkButton to="/admin-signin" size="large" className={submitClass}>
        Go to staff sign-in
      </LinkButton>
    </div>
  )
}

function FirstSuperuserForm({ token }: { token: string }) {
  const { client } = trpc.useUtils()
  const completeSignIn = useCompleteSignIn(undefined)
  const form = useForm({
    blank: { token, email: '', new_password: '', confirm_password: '' },
    schema: AddFirstInput,
    send: (input) => client.superUsers.addFirst.mutate(input),
    onSent: ({ me }) => completeSignIn(me),
  })
  // The token is not a visible field, so its errors replace the form.
  if (form.errors['token'] !== undefined || form.failure?.code === 'start_link_invalid') {
    return (
      <>
        <Notice kind="danger" role="alert" title="Nobody was added">
          <p>{errorMessage('start_link_invalid')}</p>
        </Notice>
        <SignInLink />
      </>
    )
  }
  return (
    <FormFrame form={form} label="First superuser" failureTitle="Nobody was added">
      <TextInput
        type="email"
        inputMode="email"
        autoComplete="username"
        label="Email"
        {...form.text('email')}
      />
      <NewPasswordInput label="Password" {...form.text('new_password')} />
      <PasswordInput
        label="Confirm password"
        autoComplete="new-password"
        {...form.text('confirm_password')}
      />
      <div>
        <Button type="submit" size="large" isBusy={form.isBusy} className={submitClass}>
          Make me the first superuser
        </Button>
      </div>
    </FormFrame>
  )
}
