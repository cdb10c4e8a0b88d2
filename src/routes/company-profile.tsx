import { createFileRoute } from '@tanstack/react-router'
import { CompanyPage } from '#app/features/site/company-page.tsx'

export const Route = createFileRoute('/company-profile')({ component: CompanyPage })
