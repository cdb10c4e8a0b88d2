import { Monitor, Smartphone } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { focusHeading } from '#app/lib/browser-hooks.ts'
import { formatLocalMoment } from '#app/lib/format/dates.ts'
import { useForm } from '#app/lib/forms/use-form.ts'
import { DataBoundary } from '#app/parts/data-boundary.tsx'
import { useSignOut } from '#app/parts/sign-out.tsx'
import { trpc } from '#app/trpc.ts'
import { Button } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { PasswordInput } from '#app/ui/form-controls.tsx'
import { FormButtons, FormFrame } from '#app/ui/form-frame.tsx'
import { Badge } from '#app/ui/notice.tsx'
import { PendingShapes } from '#app/ui/page.tsx'
import { showToast } from '#app/ui/toast.tsx'
import type { Me, SessionView } from '#contract/auth.ts'
import {
  ChangePasswordInput,
  PASSWORD_MIN,
  PASSWORD_RECOMMENDED,
} from '#contract/auth-passwords.ts'
import { AccountSection, ErrorNotice, RevealedForm, UsernameHint } from './account-section.tsx'
import { useInvalidateAccessTokens } from './tokens-section.tsx'

const blank = { current_password: '', new_password: '', confirm_password: '' }

/** A new password ends all sessions but this one. */
export function PasswordSection({ me }: { me: Me }) {
  return (
    <AccountSection
      id="password"
      title="Password"
      lead="Changing it signs you out on all other devices and ends your access tokens and calendar links."
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

/** Matches handheld devices in the server's names for devices: "Safari on iPhone". */
const HANDHELD = /iphone|ipad|android|ios/i

/** Devices shown until all are requested: this one first, then the most recently used. */
const INITIAL_COUNT = 4

type RowProps = { session: SessionView; isEnding: boolean; onEnd: () => void }

function SessionRow({ session, isEnding, onEnd }: RowProps) {
  const { device, network, signedInAt, lastUsedAt, isThisOne } = session
  const Icon = HANDHELD.test(device) ? Smartphone : Monitor
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-3 py-4">
      <Icon aria-hidden="true" className="mt-0.5 size-6 shrink-0 text-muted" />
      <div className="min-w-0 flex-1 max-sm:basis-[calc(100%-2.5rem)]">
        <p className="flex flex-wrap items-center gap-2 font-semibold">
          {device}
          {isThisOne && <Badge tone="brand">This device</Badge>}
        </p>
        <p className="mt-0.5 text-sm text-muted">
          Last used <time dateTime={lastUsedAt}>{formatLocalMoment(lastUsedAt)}</time>
          <br />
          Signed in <time dateTime={signedInAt}>{formatLocalMoment(signedInAt)}</time> from{' '}
          <span className="wrap-anywhere">{network}</span>
        </p>
      </div>
      {!isThisOne && (
        <Button
          variant="secondary"
          className="max-sm:ml-10"
          isBusy={isEnding}
          aria-label={`Sign out ${device}, signed in ${formatLocalMoment(signedInAt)}`}
          onClick={onEnd}
        >
          Sign out
        </Button>
      )}
    </li>
  )
}

/** The devices, this one first; `children` follow beside the button that shows all. */
function Devices({ children }: { children: ReactNode }) {
  const utils = trpc.useUtils()
  const [data] = trpc.auth.sessions.useSuspenseQuery()
  const sessions = data.toSorted((a, b) => Number(b.isThisOne) - Number(a.isThisOne))
  const [isAll, setAll] = useState(false)
  const list = useRef<HTMLUListElement>(null)
  useEffect(() => {
    // The pressed button is gone: the first of the others takes the focus.
    if (!isAll || document.activeElement !== document.body) return
    list.current?.children[INITIAL_COUNT]?.querySelector('button')?.focus()
  }, [isAll])
  // One more is shown rather than a button of the same height.
  const isLong = !isAll && sessions.length > INITIAL_COUNT + 1
  const end = trpc.auth.endSession.useMutation({
    onSuccess: async () => {
      await utils.auth.sessions.invalidate()
      void showToast('That device is signed out.')
      // The pressed button is gone.
      focusHeading(list.current?.closest('section')?.querySelector('h2'))
    },
  })
  return (
    <>
      <ErrorNotice error={end.error} title="That device is still signed in" />
      <ul ref={list} className="divide-y divide-line border-y border-line">
        {sessions.slice(0, isLong ? INITIAL_COUNT : undefined).map((session) => (
          <SessionRow
            key={session.id}
            session={session}
            isEnding={end.isPending && end.variables.id === session.id}
            onEnd={() => end.mutate({ id: session.id })}
          />
        ))}
      </ul>
      <div className="flex flex-wrap gap-3">
        {children}
        {isLong && (
          <Button variant="quiet" onClick={() => setAll(true)}>
            Show {sessions.length - INITIAL_COUNT} more
          </Button>
        )}
      </div>
    </>
  )
}

/** Where the account is signed in, and how to sign out of each device or all. */
export function SessionsSection() {
  const [isAsking, setAsking] = useState(false)
  const signOut = useSignOut()
  const everywhere = (
    <Button variant="secondary" className="self-start" onClick={() => setAsking(true)}>
      Sign out everywhere
    </Button>
  )
  return (
    <AccountSection
      id="sessions"
      title="Where you are signed in"
      lead="If you don’t recognise a device, sign out everywhere and change your password."
    >
      <div className="flex flex-col gap-4">
        <DataBoundary
          failed="Your devices didn’t load"
          renderFrame={(state) => (
            <>
              {state}
              {everywhere}
            </>
          )}
          pending={<PendingShapes shapes={['h-40']} />}
        >
          <Devices>{everywhere}</Devices>
        </DataBoundary>
      </div>
      <Dialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title="Sign out everywhere?"
        footer={
          <>
            <Button isBusy={signOut.isPending} onClick={() => signOut.mutate('everywhere')}>
              Sign out everywhere
            </Button>
            <Button variant="secondary" onClick={() => setAsking(false)}>
              Stay signed in
            </Button>
          </>
        }
      >
        <p>
          You’ll be signed out straight away on all devices, including this one, and your access
          tokens and calendar links will stop working.
        </p>
        <ErrorNotice error={signOut.error} title="You’re still signed in" />
      </Dialog>
    </AccountSection>
  )
}
