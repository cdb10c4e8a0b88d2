import { useState } from 'react'
import { DataBoundary } from '#app/parts/data-boundary.tsx'
import { trpc } from '#app/trpc.ts'
import { Button } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { PendingShapes } from '#app/ui/pending-shapes.tsx'
import { textLinkClass } from '#app/ui/text-link.tsx'
import { showToast } from '#app/ui/toast.tsx'
import { type AccessToken, MAX_ACCESS_TOKENS } from '#contract/access-tokens.ts'
import type { Me } from '#contract/auth.ts'
import { AccountSection, StateRow } from './account-section.tsx'
import { FailureNotice } from './failure-notice.tsx'
import { TokenDialog } from './token-dialog.tsx'
import { TokenRow } from './token-row.tsx'
import { useAccessTokensChanged } from './use-access-tokens.ts'

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
              {MAX_ACCESS_TOKENS} tokens are the most. Revoke one to create another.
            </p>
          )}
        </div>
      )}
      {isMaking && <TokenDialog kind={me.kind} onClose={() => setMaking(false)} />}
      {revoking && <RevokeDialog token={revoking} onClose={() => setRevoking(null)} />}
    </div>
  )
}

/** Tokens with which scripts do part of what the account may. */
export function TokensSection({ me }: { me: Me }) {
  return (
    <AccountSection
      id="tokens"
      title="Access tokens"
      lead={
        <>
          For scripts and other programs of yours: each may do what you choose and never more than
          you. How to use them stands in the{' '}
          <a href="/api/docs" className={textLinkClass}>
            documentation
          </a>
          .
        </>
      }
    >
      <DataBoundary
        failed="The list of tokens did not load"
        pending={<PendingShapes shapes={['h-24']} />}
      >
        <Tokens me={me} />
      </DataBoundary>
    </AccountSection>
  )
}

function RevokeDialog({ token, onClose }: { token: AccessToken; onClose: () => void }) {
  const { id, name, isExpired } = token
  const changed = useAccessTokensChanged()
  const revoke = trpc.accessTokens.revoke.useMutation({
    onSuccess: async () => {
      await changed()
      onClose()
      void showToast(isExpired ? 'The token is off the list.' : 'The token is revoked.')
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
              <strong className="wrap-anywhere">{name}</strong> has expired and does nothing any
              more.
            </>
          ) : (
            <>
              Whatever uses <strong className="wrap-anywhere">{name}</strong> stops working at once.
              This cannot be undone.
            </>
          )}
        </p>
        <FailureNotice error={revoke.error} title="The token is still there" />
      </div>
    </Dialog>
  )
}
