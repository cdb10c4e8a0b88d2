import { createFileRoute } from '@tanstack/react-router'
import { BankAccountsPage } from '#app/features/bank-accounts/bank-accounts-page.tsx'

export const Route = createFileRoute('/_dashboard/doctor/bank-account')({
  staticData: { isBare: true },
  component: BankAccountsPage,
})
