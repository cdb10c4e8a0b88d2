import type { ReactNode } from 'react'
import { PageTitle } from '#app/ui/page-title.tsx'

type DashboardHeadingProps = { title: string; children?: ReactNode }

/** The name of a page of the dashboard, in the tab and above it; `children` stand below. */
export function DashboardHeading({ title, children }: DashboardHeadingProps) {
  return (
    <>
      <PageTitle title={title} />
      <h1 className="text-2xl font-semibold md:text-3xl">{title}</h1>
      {children}
    </>
  )
}
