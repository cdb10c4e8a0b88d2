import { createFileRoute } from '@tanstack/react-router'
import { BankAccountsPage } from '#app/features/bank-accounts/bank-accounts-page.tsx'
import { whenProvider } from '#app/parts/use-me.ts'

export const Route = createFileRoute('/_dashboard/doctor/bank-account')({
  staticData: { isBare: true },
  loader: ({ context }) => {
    whenProvider(context, ({ bankAccounts }) => void bankAccounts.list.prefetch())
  },
  component: BankAccountsPage,
})
