import { createFileRoute, redirect } from '@tanstack/react-router'
import { DemoSignInPage } from '#app/features/site/demo-sign-in-page.tsx'

export const Route = createFileRoute('/')({
  validateSearch: ({ next }: Record<string, unknown>): { next?: string } =>
    typeof next === 'string' ? { next } : {},
  beforeLoad: ({ context }) => {
    if (!context.site.demo) throw redirect({ to: '/home', replace: true })
  },
  loader: ({ context }) => {
    void context.utils.auth.demoAccounts.prefetch()
  },
  staticData: { isBare: true, isRendered: true },
  component: DemoSignInScreen,
})

function DemoSignInScreen() {
  return <DemoSignInPage next={Route.useSearch().next} />
}
