import { createFileRoute } from '@tanstack/react-router'
import { PrivacyPage } from '#app/features/site/privacy-page.tsx'

export const Route = createFileRoute('/privacy-cookie')({ component: PrivacyPage })
