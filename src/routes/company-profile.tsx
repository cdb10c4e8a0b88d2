import { createFileRoute } from '@tanstack/react-router'
import { CompanyPage } from '#app/features/site/info-pages.tsx'

export const Route = createFileRoute('/company-profile')({ component: CompanyPage })
