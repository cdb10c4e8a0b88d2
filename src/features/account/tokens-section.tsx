import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { useOpened } from '#app/lib/browser-hooks.ts'
import { serverNow } from '#app/lib/dates/server-clock.ts'
import { formatLocalDate, formatLocalMoment } from '#app/lib/format/dates.ts'
import { useForm } from '#app/lib/forms/use-form.ts'
import { DataBoundary } from '#app/parts/data-boundary.tsx'
import { StepUpDialog, useStepUpState } from '#app/parts/step-up.tsx'
import { trpc } from '#app/trpc.ts'
import { Button, textLinkClass } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { Select, TextInput } from '#app/ui/fields.tsx'
import { Checkbox } from '#app/ui/form-controls.tsx'
import { FormButtons, FormFrame } from '#app/ui/form-frame.tsx'
import { Badge } from '#app/ui/notice.tsx'
import { PendingShapes } from '#app/ui/page.tsx'
import { showToast } from '#app/ui/toast.tsx'
import {
  type AccessToken,
  CreateAccessTokenInput,
  type CreateAccessTokenResponse,
  DEFAULT_TOKEN_DAYS,
  MAX_ACCESS_TOKENS,
  scopeFacts,
  scopesFor,
  type TokenScope,
} from '#contract/access-tokens.ts'
import type { Me } from '#contract/auth.ts'
import { DAY_MS } from '#contract/base/time.ts'
import { AccountSection, RevokeDialog, ShownOnce, StateRow } from './account-section.tsx'

/** Access tokens, which let scripts do part of what the account may do. */
export function TokensSection({ me }: { me: Me }) {
  return (
    <AccountSection
      id="tokens"
      title="Access tokens"
      lead={
        <>
          For your own scripts and programs. Each token can do only what you allow. See the{' '}
          <a href="/api/docs" className={textLinkClass}>
            documentation
          </a>
          .
        </>
      }
    >
      <DataBoundary failed="Your tokens didn’t load" pending={<PendingShapes shapes={['h-24']} />}>
        <Tokens me={me} />
      </DataBoundary>
    </AccountSection>
  )
}

/** The open dialog. */
type Open = { kind: 'create' } | { kind: 'revoke'; token: AccessToken }

function Tokens({ me }: { me: Me }) {
  const [tokens] = trpc.accessTokens.list.useSuspenseQuery()
  const [open, setOpen, close] = useOpened<Open>()
  const isFull = tokens.filter(({ isExpired }) => !isExpired).length >= MAX_ACCESS_TOKENS
  const create = (
    <Button variant="secondary" disabled={isFull} onClick={() => setOpen({ kind: 'create' })}>
      Create a token
    </Button>
  )
  return (
    <div className="flex flex-col gap-4">
      {tokens.length > 0 && (
        <ul className="divide-y divide-line border-y border-line">
          {tokens.map((token) => (
            <TokenRow
              key={token.id}
              token={token}
              onRevoke={() => setOpen({ kind: 'revoke', token })}
            />
          ))}
        </ul>
      )}
      {tokens.length === 0 ? (
        <StateRow action={create}>
          <p>You have no access tokens.</p>
        </StateRow>
      ) : (
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          {create}
          {isFull && (
            <p className="text-muted">
              You can have up to {MAX_ACCESS_TOKENS} tokens. Revoke one to create another.
            </p>
          )}
        </div>
      )}
      {open?.kind === 'create' && <TokenDialog kind={me.kind} onClose={close} />}
      {open?.kind === 'revoke' && <RevokeTokenDialog token={open.token} onClose={close} />}
    </div>
  )
}

type TokenRowProps = { token: AccessToken; onRevoke: () => void }

function LastUse({ token }: { token: AccessToken }) {
  const { lastUsedAt, lastNetwork } = token
  if (lastUsedAt === null) return <>Never used</>
  return (
    <>
      Last used <time dateTime={lastUsedAt}>{formatLocalMoment(lastUsedAt)}</time> from{' '}
      <span className="wrap-anywhere">{lastNetwork}</span>
    </>
  )
}

/** A token with its name, expiry, scopes and last use. */
function TokenRow({ token, onRevoke }: TokenRowProps) {
  const { name, last4, scopes, createdAt, expiresAt, isExpired } = token
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-3 py-4">
      <KeyRound aria-hidden="true" className="mt-0.5 size-6 shrink-0 text-muted" />
      <div className="min-w-0 flex-1 max-sm:basis-[calc(100%-2.5rem)]">
        <p className="flex flex-wrap items-center gap-2 font-semibold">
          <span className="wrap-anywhere">{name}</span>
          {isExpired && <Badge>Expired</Badge>}
        </p>
        <p className="mt-0.5">{scopesText(scopes)}.</p>
        <p className="mt-0.5 text-sm text-muted">
          <span className="tabular">apo_…{last4}</span>, created{' '}
          <time dateTime={createdAt}>{formatLocalDate(createdAt)}</time>,{' '}
          {isExpired ? 'expired' : 'valid until'}{' '}
          <time dateTime={expiresAt}>{formatLocalDate(expiresAt)}</time>
          <br />
          <LastUse token={token} />
        </p>
      </div>
      <Button
        variant="secondary"
        className="max-sm:ml-10"
        aria-label={isExpired ? `Remove ${name} from the list` : `Revoke ${name}`}
        onClick={onRevoke}
      >
        {isExpired ? 'Remove' : 'Revoke'}
      </Button>
    </li>
  )
}

function RevokeTokenDialog({ token, onClose }: { token: AccessToken; onClose: () => void }) {
  const { id, name, isExpired } = token
  const invalidate = useInvalidateAccessTokens()
  const revoking = trpc.accessTokens.revoke.useMutation({
    onSuccess: async () => {
      await invalidate()
      onClose()
      void showToast(isExpired ? 'The token has been removed.' : 'The token is revoked.')
    },
  })
  return (
    <RevokeDialog
      title={isExpired ? 'Remove this token from the list?' : 'Revoke this token?'}
      action={isExpired ? 'Remove' : 'Revoke'}
      revoking={revoking}
      failureTitle="The token is still there"
      onRevoke={() => revoking.mutate({ id })}
      onClose={onClose}
    >
      {isExpired ? (
        <>
          <strong className="wrap-anywhere">{name}</strong> has expired and no longer works.
        </>
      ) : (
        <>
          Whatever uses <strong className="wrap-anywhere">{name}</strong> will stop working straight
          away. This can’t be undone.
        </>
      )}
    </RevokeDialog>
  )
}

/** Creates an access token: its settings, step-up authentication if required, and the token, shown once. */
function TokenDialog({ kind, onClose }: { kind: Me['kind']; onClose: () => void }) {
  const proof = useStepUpState()
  const invalidate = useInvalidateAccessTokens()
  const [made, setMade] = useState<CreateAccessTokenResponse | null>(null)
  if (made !== null) {
    return (
      <Dialog isOpen onClose={onClose} title="Save your access token">
        <ShownOnce
          label="Access token"
          secret={made.secret}
          lead={
            <>
              This is the token for <strong className="wrap-anywhere">{made.token.name}</strong>.
            </>
          }
          warning="Anyone who has it can use it, so store it with your script’s secrets, not in the script itself."
          noun="token"
          copy="Copy"
          done="I’ve saved it"
          onDone={onClose}
        />
      </Dialog>
    )
  }
  return (
    <StepUpDialog
      title="New access token"
      proof={proof}
      action="Confirm and create"
      onClose={onClose}
    >
      <TokenForm
        kind={kind}
        prove={proof.prove}
        onMade={async (answer) => {
          setMade(answer)
          await invalidate()
        }}
        onClose={onClose}
      />
    </StepUpDialog>
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
            {days} days, on {formatLocalDate(serverNow() + days * DAY_MS)}
          </option>
        ))}
      </Select>
      <FormButtons send="Create token" isBusy={form.isBusy} onCancel={onClose} />
    </FormFrame>
  )
}

/** Token lifetimes offered by the form, in days. */
const LIFETIME_DAYS = [7, 30, 90, 180, 365] as const

/** The scope that includes this one, or null. */
function widerScope(scope: TokenScope): string | null {
  return scope.endsWith(':read') ? scope.replace(/:read$/, ':write') : null
}

/** Scopes in words, as sentences. */
function scopesText(scopes: readonly TokenScope[]): string {
  return scopes.map((scope) => scopeFacts[scope].words).join('. ')
}

/** Refetches the tokens after one was created or revoked. */
export function useInvalidateAccessTokens(): () => Promise<void> {
  const utils = trpc.useUtils()
  return () => utils.accessTokens.list.invalidate()
}
