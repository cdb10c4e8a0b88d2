import { createFileRoute } from '@tanstack/react-router'
import { PrivacyPage } from '#app/features/site/legal-pages.tsx'

export const Route = createFileRoute('/privacy-cookie')({ component: PrivacyPage })
