import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useProving } from '#app/parts/step-up.tsx'
import { useMeChanged } from '#app/parts/use-me.ts'
import { trpc } from '#app/trpc.ts'
import { Badge } from '#app/ui/badge.tsx'
import { Button } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { showToast } from '#app/ui/toast.tsx'
import type { Me, SecondFactorSetup } from '#contract/auth.ts'
import { AccountSection, FailureNotice, StateRow } from './account-section.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import { SecondFactorSetupForm } from './second-factor-setup-form.tsx'

type Stage =
  | { name: 'rest' }
  | { name: 'setup'; setup: SecondFactorSetup }
  | { name: 'codes'; codes: readonly string[] }

/** An authenticator app as the second step of signing in: setting up, changing, turning off. */
export function SecondFactorSection({ me }: { me: Me }) {
  const { client } = trpc.useUtils()
  const prove = useProving()
  const meChanged = useMeChanged()
  const [stage, setStage] = useState<Stage>({ name: 'rest' })
  const [isAsking, setAsking] = useState(false)
  const begin = useMutation({
    mutationFn: () => prove(() => client.auth.beginSecondFactor.mutate()),
    onSuccess: (setup) => setStage({ name: 'setup', setup }),
  })
  const remove = useMutation({
    mutationFn: () => prove(() => client.auth.removeSecondFactor.mutate()),
    onMutate: () => setAsking(false),
    onSuccess: async () => {
      await meChanged()
      void showToast('The authenticator app is off.')
    },
  })
  return (
    <AccountSection
      id="second-factor"
      title="Two-step sign-in"
      lead="After the password, a code from an app on your phone. That way a stolen password isn’t enough."
    >
      {stage.name === 'rest' && (
        <div className="flex flex-col gap-4">
          <FailureNotice error={begin.error ?? remove.error} title="Nothing was changed" />
          <StateRow
            action={
              <>
                <Button variant="secondary" isBusy={begin.isPending} onClick={() => begin.mutate()}>
                  {me.has_second_factor ? 'Set up another app' : 'Set up an authenticator app'}
                </Button>
                {me.has_second_factor && (
                  <Button variant="quiet" isBusy={remove.isPending} onClick={() => setAsking(true)}>
                    Turn off
                  </Button>
                )}
              </>
            }
          >
            <p className="flex flex-wrap items-center gap-3">
              Authenticator app
              <Badge tone={me.has_second_factor ? 'ok' : 'plain'}>
                {me.has_second_factor ? 'On' : 'Off'}
              </Badge>
            </p>
          </StateRow>
        </div>
      )}
      {stage.name === 'setup' && (
        <SecondFactorSetupForm
          setup={stage.setup}
          onConfirmed={async (codes) => {
            setStage({ name: 'codes', codes })
            await meChanged()
          }}
          onCancel={() => setStage({ name: 'rest' })}
        />
      )}
      {stage.name === 'codes' && (
        <RecoveryCodes codes={stage.codes} onDone={() => setStage({ name: 'rest' })} />
      )}
      <Dialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title="Turn off two-step sign-in?"
        footer={
          <>
            <Button variant="danger" onClick={() => remove.mutate()}>
              Turn off
            </Button>
            <Button variant="secondary" onClick={() => setAsking(false)}>
              Keep it
            </Button>
          </>
        }
      >
        <p>You’ll sign in with just your password, and your recovery codes will stop working.</p>
      </Dialog>
    </AccountSection>
  )
}
