import { createFileRoute } from '@tanstack/react-router'
import { FailedMailPage } from '#app/features/messages/failed-mail-page.tsx'
import { whenStaff } from '#app/parts/role-guard.tsx'
import { readPage } from '#contract/base/paging.ts'

type MailSearch = { page?: number }

export const Route = createFileRoute('/_staff/admin-home/mail')({
  validateSearch: (raw: Record<string, unknown>): MailSearch => {
    const page = readPage(raw['page'])
    return page > 1 ? { page } : {}
  },
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => {
    whenStaff(context, ({ messages }) => void messages.failed.prefetch({ page: deps.page ?? 1 }))
  },
  component: MailScreen,
})

function MailScreen() {
  return <FailedMailPage page={Route.useSearch().page ?? 1} />
}
