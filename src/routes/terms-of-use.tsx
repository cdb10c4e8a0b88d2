import { createFileRoute } from '@tanstack/react-router'
import { TermsPage } from '#app/features/site/legal-pages.tsx'

export const Route = createFileRoute('/terms-of-use')({ component: TermsPage })
