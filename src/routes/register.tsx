import { createFileRoute } from '@tanstack/react-router'
import { AccountsClosedPage } from '#app/features/site/accounts-closed-page.tsx'

export const Route = createFileRoute('/register')({ component: AccountsClosedPage })
