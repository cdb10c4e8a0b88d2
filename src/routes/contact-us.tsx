import { createFileRoute } from '@tanstack/react-router'
import { ContactPage } from '#app/features/messages/contact-form.tsx'

export const Route = createFileRoute('/contact-us')({ component: ContactPage })
