import { LinkQuestion } from '#app/parts/link-question.tsx'
import { trpc } from '#app/trpc.ts'
import { LinkButton } from '#app/ui/button.tsx'

const asks = {
  title: 'Isn’t this you?',
  text: 'A practice gave us your email address for a visit you don’t know about. If it isn’t yours, stop these emails: no practice on Apposite can then email this address about phone or walk-in visits, ever. The visit itself stays in the practice’s calendar.',
}

const done = {
  title: 'You won’t get these emails any more',
  text: 'No practice on Apposite can email this address about phone or walk-in visits. You don’t have to do anything else.',
}

/** `/not-me/{token}`: the page behind "This isn’t me" in an email about a phone or walk-in visit. */
export function StopMailPage({ token }: { token: string }) {
  const stop = trpc.messages.stop.useMutation()
  return (
    <LinkQuestion
      asks={asks}
      done={done}
      act="Stop these emails"
      failed={{ title: 'The emails aren’t stopped yet' }}
      doing={{ ...stop, start: () => stop.mutate({ token }) }}
    >
      <LinkButton to="/contact-us" variant="secondary" size="large">
        Write to us
      </LinkButton>
    </LinkQuestion>
  )
}
