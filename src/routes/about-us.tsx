import { createFileRoute } from '@tanstack/react-router'
import { AboutPage } from '#app/features/site/info-pages.tsx'

export const Route = createFileRoute('/about-us')({ component: AboutPage })
