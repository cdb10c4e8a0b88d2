import { createFileRoute } from '@tanstack/react-router'
import { FailedMailPage } from '#app/features/messages/failed-mail-page.tsx'
import { isStaffAllowed } from '#app/parts/role-guard.tsx'

type MailSearch = { page?: number }

export const Route = createFileRoute('/_staff/admin-home/mail')({
  validateSearch: ({ page }: Record<string, unknown>): MailSearch => {
    const number = Number(page)
    return Number.isInteger(number) && number > 1 && number <= 10_000 ? { page: number } : {}
  },
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => {
    if (!isStaffAllowed(context, null)) return
    void context.utils.messages.failed.prefetch({ page: deps.page ?? 1 })
  },
  component: MailScreen,
})

function MailScreen() {
  return <FailedMailPage page={Route.useSearch().page ?? 1} />
}
