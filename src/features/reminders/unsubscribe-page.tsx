import { LinkQuestion } from '#app/parts/link-question.tsx'
import { trpc } from '#app/trpc.ts'
import { LinkButton } from '#app/ui/button.tsx'

const asks = {
  title: 'Turn off reminders?',
  text: 'You won’t be reminded of your visits any more. We’ll still email you when a visit is booked, changed or cancelled.',
}

const done = {
  title: 'Reminders are off',
  text: 'You won’t get reminders of your visits any more. We’ll still email you when a visit is booked, changed or cancelled.',
}

/** `/unsubscribe/{token}`: the page behind a reminder's link. */
export function UnsubscribePage({ token }: { token: string }) {
  const unsubscribe = trpc.reminders.unsubscribe.useMutation()
  return (
    <LinkQuestion
      asks={asks}
      done={done}
      act="Turn off reminders"
      failed={{
        title: 'Reminders are still on',
        hint: 'You can also turn reminders off in your account.',
      }}
      doing={{ ...unsubscribe, start: () => unsubscribe.mutate({ token }) }}
    >
      <LinkButton
        to="/userProfile"
        search={{ section: 'reminders' }}
        variant="secondary"
        size="large"
      >
        Manage in your account
      </LinkButton>
    </LinkQuestion>
  )
}
