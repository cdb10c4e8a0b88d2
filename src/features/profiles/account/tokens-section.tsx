import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { DataBoundary } from '#app/parts/data-boundary.tsx'
import { trpc } from '#app/trpc.ts'
import { Badge } from '#app/ui/badge.tsx'
import { Button, textLinkClass } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { PendingShapes } from '#app/ui/skeleton.tsx'
import { showToast } from '#app/ui/toast.tsx'
import { type AccessToken, MAX_ACCESS_TOKENS } from '#contract/access-tokens.ts'
import type { Me } from '#contract/auth.ts'
import { AccountSection, FailureNotice, StateRow } from './account-section.tsx'
import { TokenDialog } from './token-dialog.tsx'
import { dayOf, momentOf, scopesText, useInvalidateAccessTokens } from './token-text.ts'

function Tokens({ me }: { me: Me }) {
  const [tokens] = trpc.accessTokens.list.useSuspenseQuery()
  const [isMaking, setMaking] = useState(false)
  const [revoking, setRevoking] = useState<AccessToken | null>(null)
  const isFull = tokens.filter(({ isExpired }) => !isExpired).length >= MAX_ACCESS_TOKENS
  const create = (
    <Button variant="secondary" disabled={isFull} onClick={() => setMaking(true)}>
      Create a token
    </Button>
  )
  return (
    <div className="flex flex-col gap-4">
      {tokens.length > 0 && (
        <ul className="divide-y divide-line border-y border-line">
          {tokens.map((token) => (
            <TokenRow key={token.id} token={token} onRevoke={() => setRevoking(token)} />
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
      {isMaking && <TokenDialog kind={me.kind} onClose={() => setMaking(false)} />}
      {revoking && <RevokeDialog token={revoking} onClose={() => setRevoking(null)} />}
    </div>
  )
}

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

function RevokeDialog({ token, onClose }: { token: AccessToken; onClose: () => void }) {
  const { id, name, isExpired } = token
  const invalidate = useInvalidateAccessTokens()
  const revoke = trpc.accessTokens.revoke.useMutation({
    onSuccess: async () => {
      await invalidate()
      onClose()
      void showToast(isExpired ? 'The token has been removed.' : 'The token is revoked.')
    },
  })
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={isExpired ? 'Remove this token from the list?' : 'Revoke this token?'}
      footer={
        <>
          <Button variant="danger" isBusy={revoke.isPending} onClick={() => revoke.mutate({ id })}>
            {isExpired ? 'Remove' : 'Revoke'}
          </Button>
          <Button variant="secondary" onClick={onClose}>
            Keep it
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <p>
          {isExpired ? (
            <>
              <strong className="wrap-anywhere">{name}</strong> has expired and no longer works.
            </>
          ) : (
            <>
              Whatever uses <strong className="wrap-anywhere">{name}</strong> will stop working
              straight away. This cannot be undone.
            </>
          )}
        </p>
        <FailureNotice error={revoke.error} title="The token is still there" />
      </div>
    </Dialog>
  )
}

type TokenRowProps = { token: AccessToken; onRevoke: () => void }

function LastUse({ token }: { token: AccessToken }) {
  const { lastUsedAt, lastNetwork } = token
  if (lastUsedAt === null) return <>Never used</>
  return (
    <>
      Last used <time dateTime={lastUsedAt}>{momentOf(lastUsedAt)}</time> from{' '}
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
          <time dateTime={createdAt}>{dayOf(createdAt)}</time>,{' '}
          {isExpired ? 'expired' : 'valid until'}{' '}
          <time dateTime={expiresAt}>{dayOf(expiresAt)}</time>
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
