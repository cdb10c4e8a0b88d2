import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { describeFailure } from '#app/lib/errors.ts'
import { knownPath } from '#app/lib/known-path.ts'
import { beginSession } from '#app/lib/session.ts'
import { forgetPrivate } from '#app/parts/use-me.ts'
import { useApi, useTrpc } from '#app/trpc.ts'
import { Button } from '#app/ui/button.tsx'
import { Container } from '#app/ui/container.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { PageTitle } from '#app/ui/page-title.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { textLinkClass } from '#app/ui/text-link.tsx'
import type { DemoAccount } from '#contract/auth.ts'

const PASSWORD = 'Apposite-demo-1'

/** Staff have no screens of their own yet, so that nobody is let in to find nothing. */
const roles = { patient: 'Enter as a patient', provider: 'Enter as a provider' } as const

function useEnter(next: string | undefined) {
  const api = useApi()
  const client = useQueryClient()
  const router = useRouter()
  return useMutation({
    mutationFn: (email: string | null) => api.auth.enterDemo.mutate({ email }),
    onSuccess: async ({ me }) => {
      forgetPrivate(client)
      if (me !== null) beginSession(me)
      const start = me?.kind === 'provider' ? '/userProfile' : '/home'
      await router.navigate({ href: knownPath(router, next) ?? start, replace: true })
    },
  })
}

type CardProps = { account: DemoAccount; isMain: boolean; isBusy: boolean; onEnter: () => void }

function AccountCard({ account, isMain, isBusy, onEnter }: CardProps) {
  const { email, who, role } = account
  if (role !== 'patient' && role !== 'provider') return null
  return (
    <li className="flex flex-col gap-3 rounded-card border border-line bg-surface p-4 sm:flex-row sm:items-center sm:justify-between sm:p-5">
      <div className="min-w-0">
        <p className="font-semibold">{who}</p>
        <p className="text-sm break-all text-muted">{email}</p>
      </div>
      <Button
        variant={isMain ? 'primary' : 'secondary'}
        isBusy={isBusy}
        onClick={onEnter}
        className="shrink-0"
      >
        {roles[role]}
        <span className="sr-only">({email})</span>
      </Button>
    </li>
  )
}

/** `/` of a demo: in with one press, as somebody or as nobody. */
export function DemoDoorPage({ next }: { next: string | undefined }) {
  const { data, error, refetch } = useQuery(useTrpc().auth.demoAccounts.queryOptions())
  const enter = useEnter(next)
  const accounts = data?.filter(({ role }) => role === 'patient' || role === 'provider')
  const failure = enter.error ?? error
  return (
    <Container className="pt-8 sm:pt-12">
      <PageTitle title="Apposite demo" description="Try Apposite with made-up people and prices." />
      <div className="mx-auto flex max-w-160 flex-col gap-6">
        <div>
          <h1 className="font-display text-4xl font-medium">Come in and try it</h1>
          <p className="mt-3 text-lg text-muted">
            This is a demonstration: people, times and prices are made up, and nothing you do here
            reaches anybody.
          </p>
        </div>
        {failure && (
          <Notice kind="danger" role="alert" title="The door did not open">
            <p>{describeFailure(failure).sentence}</p>
            {error && (
              <Button variant="secondary" className="mt-3" onClick={() => void refetch()}>
                Try again
              </Button>
            )}
          </Notice>
        )}
        <ul className="flex flex-col gap-3" aria-busy={data === undefined && !error}>
          {accounts?.map((account, at) => (
            <AccountCard
              key={account.email}
              account={account}
              isMain={at === 0}
              isBusy={enter.isPending && enter.variables === account.email}
              onEnter={() => !enter.isPending && enter.mutate(account.email)}
            />
          ))}
          {data === undefined &&
            !error &&
            [1, 2, 3, 4].map((line) => (
              <li key={line}>
                <Skeleton className="h-21" />
              </li>
            ))}
        </ul>
        <div>
          <Button
            variant="secondary"
            size="large"
            isBusy={enter.isPending && enter.variables === null}
            onClick={() => !enter.isPending && enter.mutate(null)}
          >
            Just look around
          </Button>
        </div>
        <p className="text-muted">
          Inside, you can also register, or sign in as any of them with the password{' '}
          <code className="font-semibold whitespace-nowrap text-ink select-all">{PASSWORD}</code>.
          Mails are not sent; you read them in the{' '}
          <a href="/demo/mailbox" className={textLinkClass}>
            demo mailbox
          </a>
          .
        </p>
      </div>
    </Container>
  )
}
