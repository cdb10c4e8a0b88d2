import { useEffect, useRef, useState } from 'react'
import { serverNow } from '#app/lib/server-clock.ts'
import { useForm } from '#app/lib/use-form.ts'
import { StepUpForm, useStepUpState } from '#app/parts/step-up.tsx'
import { trpc } from '#app/trpc.ts'
import { Button } from '#app/ui/button.tsx'
import { Checkbox } from '#app/ui/checkbox.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { FormButtons, FormFrame } from '#app/ui/form-frame.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { Select } from '#app/ui/select.tsx'
import { TextInput } from '#app/ui/text-input.tsx'
import { showToast } from '#app/ui/toast.tsx'
import {
  CreateAccessTokenInput,
  type CreateAccessTokenResponse,
  DEFAULT_TOKEN_DAYS,
  scopeFacts,
  scopesFor,
  type TokenScope,
} from '#contract/access-tokens.ts'
import type { Me } from '#contract/auth.ts'
import { DAY_MS } from '#contract/time.ts'
import { dayOf, LIFETIME_DAYS, useInvalidateAccessTokens, widerScope } from './token-text.ts'

/** Creates an access token: its settings, step-up authentication if required, and the token, shown once. */
export function TokenDialog({ kind, onClose }: { kind: Me['kind']; onClose: () => void }) {
  const proof = useStepUpState()
  const invalidate = useInvalidateAccessTokens()
  const [made, setMade] = useState<CreateAccessTokenResponse | null>(null)
  if (made !== null) {
    return (
      <Dialog isOpen onClose={onClose} title="Save your access token">
        <TokenSecret name={made.token.name} secret={made.secret} onDone={onClose} />
      </Dialog>
    )
  }
  return (
    <Dialog
      isOpen
      onClose={proof.isAsking ? () => proof.end(false) : onClose}
      title={proof.isAsking ? 'Confirm it’s you' : 'New access token'}
    >
      <div hidden={proof.isAsking}>
        <TokenForm
          kind={kind}
          prove={proof.prove}
          onMade={async (answer) => {
            setMade(answer)
            await invalidate()
          }}
          onClose={onClose}
        />
      </div>
      {proof.isAsking && (
        <StepUpForm
          takesFocus
          action="Confirm and create"
          onProved={() => proof.end(true)}
          aside={
            <Button variant="quiet" onClick={() => proof.end(false)}>
              Back
            </Button>
          }
        />
      )}
    </Dialog>
  )
}

type TokenSecretProps = { name: string; secret: string; onDone: () => void }

/** The token itself, shown this once. */
function TokenSecret({ name, secret, onDone }: TokenSecretProps) {
  const start = useRef<HTMLParagraphElement>(null)
  useEffect(() => start.current?.focus(), [])
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(secret)
      await showToast('Copied.')
    } catch {
      await showToast('Your browser blocked copying. Select the token and copy it yourself.')
    }
  }
  return (
    <div className="flex flex-col gap-4">
      <p ref={start} tabIndex={-1} className="outline-none">
        This is the token for <strong className="wrap-anywhere">{name}</strong>.
      </p>
      <p
        aria-label="Access token"
        className="tabular rounded-card border border-line bg-sunken p-4 font-semibold wrap-anywhere select-all"
      >
        {secret}
      </p>
      <Notice kind="warn" title="We’ll only show it once">
        <p>
          Anyone who has it can use it, so store it with your script’s secrets, not in the script
          itself.
        </p>
      </Notice>
      <div className="flex flex-wrap gap-3">
        <Button onClick={() => void copy()}>Copy</Button>
        <Button variant="secondary" onClick={onDone}>
          I’ve saved it
        </Button>
      </div>
    </div>
  )
}

type TokenFormProps = {
  kind: Me['kind']
  prove: <Answer>(act: () => Promise<Answer>) => Promise<Answer>
  onMade: (made: CreateAccessTokenResponse) => Promise<void>
  onClose: () => void
}

type TokenValues = { name: string; scopes: TokenScope[]; days: string }

const blank: TokenValues = { name: '', scopes: [], days: String(DEFAULT_TOKEN_DAYS) }

/** Whether another chosen scope includes this one. */
function isIncluded(chosen: readonly TokenScope[], scope: TokenScope): boolean {
  return chosen.some((one) => one === widerScope(scope))
}

/** Name, scopes and lifetime of a new token. */
function TokenForm({ kind, prove, onMade, onClose }: TokenFormProps) {
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
    const rest = scopes.filter((one) => one !== scope && widerScope(one) !== scope)
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
          No token can sign in, pay, change your password or bank accounts, or delete anything in
          your account.
        </p>
      </fieldset>
      <Select label="Expires after" {...form.text('days')}>
        {LIFETIME_DAYS.map((days) => (
          <option key={days} value={days}>
            {days} days, on {dayOf(serverNow() + days * DAY_MS)}
          </option>
        ))}
      </Select>
      <FormButtons send="Create token" isBusy={form.isBusy} onCancel={onClose} />
    </FormFrame>
  )
}
