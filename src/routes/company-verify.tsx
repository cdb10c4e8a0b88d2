import { createFileRoute } from '@tanstack/react-router'
import { CompanyVerifyPage } from '#app/features/verification/company-verify-page.tsx'
import { providersOnly } from '#app/lib/route-guards.ts'
import { whenProvider } from '#app/parts/use-me.ts'

export const Route = createFileRoute('/company-verify')({
  staticData: { isBare: true },
  beforeLoad: providersOnly,
  loader: ({ context }) => {
    whenProvider(context, ({ verification }) => void verification.mine.prefetch({}))
  },
  component: CompanyVerifyPage,
})
