import { createFileRoute } from '@tanstack/react-router'
import { CompanyVerifyPage } from '#app/features/verification/company-verify-page.tsx'
import { providersOnly } from '#app/lib/providers-only.ts'

export const Route = createFileRoute('/company-verify')({
  staticData: { isBare: true },
  beforeLoad: providersOnly,
  component: CompanyVerifyPage,
})
