import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { BadgeCheck, type LucideIcon, Search, Stethoscope, UserRound } from 'lucide-react'
import type { ReactNode } from 'react'
import { describeFailure } from '#app/lib/errors.ts'
import { knownPath, startPage } from '#app/lib/route-guards.ts'
import { startSession } from '#app/lib/session.ts'
import { PartBoundary } from '#app/parts/data-boundary.tsx'
import { clearPrivateQueries } from '#app/parts/use-me.ts'
import { trpc } from '#app/trpc.ts'
import { Button, textLinkClass } from '#app/ui/button.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { PageTitle, PendingShapes } from '#app/ui/page.tsx'
import type { DemoAccount } from '#contract/auth.ts'

const PASSWORD = 'Apposite-demo-1'

const roles: Record<DemoAccount['role'], string> = {
  patient: 'Enter as a patient',
  provider: 'Enter as a provider',
  superuser: 'Enter as a superuser',
  admin: 'Enter as an admin',
  editor: 'Enter as an editor',
  author: 'Enter as an author',
}

function iconOf(role: DemoAccount['role']): LucideIcon {
  if (role === 'patient') return UserRound
  return role === 'provider' ? Stethoscope : BadgeCheck
}

function useEnterDemo(next: string | undefined) {
  const client = useQueryClient()
  const router = useRouter()
  return trpc.auth.enterDemo.useMutation({
    onSuccess: async ({ me }) => {
      clearPrivateQueries(client)
      if (me !== null) startSession(me)
      const start = me === null ? '/home' : startPage(me)
      await router.navigate({ href: knownPath(router, next) ?? start, replace: true })
    },
  })
}

type RowProps = { icon: LucideIcon; title: string; detail: string; children: ReactNode }

/** A demo role, and the button that signs in as it. */
function RoleRow({ icon: Icon, title, detail, children }: RowProps) {
  return (
    <li className="flex flex-col gap-3 p-4 sm:flex-row sm:items-center sm:gap-4 sm:p-5">
      <div className="flex min-w-0 flex-1 items-center gap-4">
        <span className="flex size-11 shrink-0 items-center justify-center rounded-full bg-tint text-brand-deep">
          <Icon aria-hidden="true" className="size-5.5" />
        </span>
        <div className="min-w-0">
          <p className="font-semibold text-balance">{title}</p>
          <p className="text-sm wrap-anywhere text-muted">{detail}</p>
        </div>
      </div>
      {children}
    </li>
  )
}

const buttonShape = 'shrink-0 sm:min-w-46'

type AccountRowProps = {
  account: DemoAccount
  isMain: boolean
  isBusy: boolean
  onEnter: () => void
}

function AccountRow({ account, isMain, isBusy, onEnter }: AccountRowProps) {
  const { email, who, role } = account
  return (
    <RoleRow icon={iconOf(role)} title={who.replace(/\.$/, '')} detail={email}>
      <Button
        variant={isMain ? 'primary' : 'secondary'}
        isBusy={isBusy}
        onClick={onEnter}
        className={buttonShape}
      >
        {roles[role]}
        <span className="sr-only">({email})</span>
      </Button>
    </RoleRow>
  )
}

function AccountRows({ enter }: { enter: ReturnType<typeof useEnterDemo> }) {
  const [accounts] = trpc.auth.demoAccounts.useSuspenseQuery()
  return accounts.map((account, at) => (
    <AccountRow
      key={account.email}
      account={account}
      isMain={at === 0}
      isBusy={enter.isPending && enter.variables.email === account.email}
      onEnter={() => !enter.isPending && enter.mutate({ email: account.email })}
    />
  ))
}

/** `/` of a demo: enter with one press, as a demo user or signed out. Nothing else opens before that. */
export function DemoSignInPage({ next }: { next: string | undefined }) {
  const enter = useEnterDemo(next)
  return (
    <div className="flex flex-col gap-6">
      <PageTitle title="Apposite demo" description="Try Apposite with made-up people and prices." />
      <div>
        <h1 className="font-display text-3xl font-medium sm:text-4xl">Come in and try it</h1>
        <p className="mt-3 text-lg text-muted">
          This is a demonstration: people, times and prices are made up, and nothing here contacts
          anyone real.
        </p>
      </div>
      {enter.error && (
        <Notice kind="danger" role="alert" title="The demo didn’t open">
          <p>{describeFailure(enter.error).sentence}</p>
        </Notice>
      )}
      <ul className="divide-y divide-line overflow-hidden rounded-card border border-line bg-surface">
        <PartBoundary
          failed="The demo accounts didn’t load"
          renderFrame={(state) => <li className="p-4 sm:p-5">{state}</li>}
          pending={
            <PendingShapes
              className="flex flex-col gap-8 sm:gap-10"
              shapes={Array.from({ length: 4 }, () => 'h-26 sm:h-12')}
            />
          }
        >
          <AccountRows enter={enter} />
        </PartBoundary>
        <RoleRow icon={Search} title="Visitor" detail="Search, profiles and free times">
          <Button
            variant="secondary"
            className={buttonShape}
            isBusy={enter.isPending && enter.variables.email === null}
            onClick={() => !enter.isPending && enter.mutate({ email: null })}
          >
            Just look around
          </Button>
        </RoleRow>
      </ul>
      <p className="text-muted">
        Once you’re in, you can also register, or sign in as any of them with the password{' '}
        <code className="font-semibold whitespace-nowrap text-ink select-all">{PASSWORD}</code>.
        Emails aren’t sent: read them in the{' '}
        <a href="/demo/mailbox" className={textLinkClass}>
          demo mailbox
        </a>
        .
      </p>
    </div>
  )
}
