import { trpc } from '#app/trpc.ts'
import { LinkButton } from '#app/ui/link-button.tsx'
import type { OwnVerification } from '#contract/verification.ts'

type Next = { text: string; action: string; isWaiting?: true }

const FIRST: Next = {
  text: 'Patients do not find you yet: your profile is public once your registration is verified.',
  action: 'Verify your registration',
}

function nextOf({ state, check }: OwnVerification): Next {
  if (state === 'refused') {
    return {
      text: 'Our staff could not confirm your registration, so patients do not find you.',
      action: 'See why',
    }
  }
  if (state === 'lost') {
    return {
      text: 'The register no longer bears your registration out, so patients do not find you.',
      action: 'See why',
    }
  }
  if (check?.outcome !== 'match') return FIRST
  return {
    text: 'Your registration matches the register. Our staff decide next, and you hear from us by mail.',
    action: 'See your verification',
    isWaiting: true,
  }
}

/** What somebody who is not Verified has to do, or waits for. */
export function NotVerified() {
  const { data, isPending } = trpc.verification.mine.useQuery({})
  // What is pressed must not change under the finger, so it comes with its words.
  if (isPending) return <div aria-busy="true" className="h-26" />
  const { text, action, isWaiting = false } = data === undefined ? FIRST : nextOf(data)
  return (
    <>
      <p className="mt-2 pl-9 text-muted">{text}</p>
      <LinkButton
        to="/provider-verify"
        variant={isWaiting ? 'secondary' : 'primary'}
        className="mt-4 w-full"
      >
        {action}
      </LinkButton>
    </>
  )
}
