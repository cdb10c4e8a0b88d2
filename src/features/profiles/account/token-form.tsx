import { serverNow } from '#app/lib/server-clock.ts'
import { useForm } from '#app/lib/use-form.ts'
import { trpc } from '#app/trpc.ts'
import { Checkbox } from '#app/ui/checkbox.tsx'
import { FormButtons, FormFrame } from '#app/ui/form-frame.tsx'
import { Select } from '#app/ui/select.tsx'
import { TextInput } from '#app/ui/text-input.tsx'
import {
  type CreateAccessTokenAnswer,
  CreateAccessTokenInput,
  scopeFacts,
  scopesFor,
  TOKEN_DAYS_DEFAULT,
  type TokenScope,
} from '#contract/access-tokens.ts'
import type { Me } from '#contract/auth.ts'
import { DAY_MS } from '#contract/time.ts'
import { dayOf, LIVES, widerThan } from './token-words.ts'

type TokenFormProps = {
  kind: Me['kind']
  prove: <Answer>(act: () => Promise<Answer>) => Promise<Answer>
  onMade: (made: CreateAccessTokenAnswer) => Promise<void>
  onClose: () => void
}

type Typed = { name: string; scopes: TokenScope[]; days: string }

const blank: Typed = { name: '', scopes: [], days: String(TOKEN_DAYS_DEFAULT) }

/** Whether a scope is in another one that is chosen. */
function isIncluded(chosen: readonly TokenScope[], scope: TokenScope): boolean {
  return chosen.some((one) => one === widerThan(scope))
}

/** What a new token is called, what it may and how long it lives. */
export function TokenForm({ kind, prove, onMade, onClose }: TokenFormProps) {
  const { client } = trpc.useUtils()
  const form = useForm({
    blank,
    schema: CreateAccessTokenInput,
    toInput: ({ name, scopes, days }) => ({ name, scopes, days: Number(days) }),
    send: (input) => prove(() => client.accessTokens.create.mutate(input)),
    onSent: onMade,
  })
  const { scopes } = form.values
  const choose = (scope: TokenScope, isOn: boolean) => {
    const rest = scopes.filter((one) => one !== scope && widerThan(one) !== scope)
    form.set('scopes', isOn ? [...rest, scope] : rest)
  }
  return (
    <FormFrame form={form} label="New access token" failureTitle="No token was created">
      <TextInput
        label="Name"
        hint="What will use it, so you can recognise it."
        autoComplete="off"
        maxLength={60}
        {...form.text('name')}
      />
      <fieldset
        id={`${form.id}-scopes`}
        tabIndex={-1}
        aria-describedby={form.errors['scopes'] ? `${form.id}-scopes-error` : undefined}
      >
        <legend className="font-semibold">What it can do</legend>
        {form.errors['scopes'] && (
          <p id={`${form.id}-scopes-error`} className="mt-1 text-sm font-medium text-danger">
            {form.errors['scopes']}
          </p>
        )}
        <div className="mt-1 flex flex-col max-sm:gap-1.5">
          {scopesFor(kind).map((scope) => (
            <Checkbox
              key={scope}
              label={scopeFacts[scope].words}
              checked={scopes.includes(scope) || isIncluded(scopes, scope)}
              disabled={isIncluded(scopes, scope)}
              onChange={({ target }) => choose(scope, target.checked)}
            />
          ))}
        </div>
        <p className="mt-1 text-sm text-muted">
          No token can sign in, pay, change your password or bank accounts, or delete anything of
          your account.
        </p>
      </fieldset>
      <Select label="Expires after" {...form.text('days')}>
        {LIVES.map((days) => (
          <option key={days} value={days}>
            {days} days, on {dayOf(serverNow() + days * DAY_MS)}
          </option>
        ))}
      </Select>
      <FormButtons send="Create token" isBusy={form.isBusy} onCancel={onClose} />
    </FormFrame>
  )
}
