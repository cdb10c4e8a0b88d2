import { KeyRound } from 'lucide-react'
import { Badge } from '#app/ui/badge.tsx'
import { Button } from '#app/ui/button.tsx'
import type { AccessToken } from '#contract/access-tokens.ts'
import { dayOf, momentOf, wordsOf } from './token-words.ts'

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

/** A token as one tells it from others: its name, its end, what it may and when it was used. */
export function TokenRow({ token, onRevoke }: TokenRowProps) {
  const { name, last4, scopes, createdAt, expiresAt, isExpired } = token
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-3 py-4">
      <KeyRound
        aria-hidden="true"
        strokeWidth={1.75}
        className="mt-0.5 size-6 shrink-0 text-muted"
      />
      <div className="min-w-0 flex-1 max-sm:basis-[calc(100%-2.5rem)]">
        <p className="flex flex-wrap items-center gap-2 font-semibold">
          <span className="wrap-anywhere">{name}</span>
          {isExpired && <Badge>Expired</Badge>}
        </p>
        <p className="mt-0.5">{wordsOf(scopes)}.</p>
        <p className="mt-0.5 text-sm text-muted">
          <span className="tabular">apo_…{last4}</span>, created{' '}
          <time dateTime={createdAt}>{dayOf(createdAt)}</time>,{' '}
          {isExpired ? 'expired' : 'good until'}{' '}
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
