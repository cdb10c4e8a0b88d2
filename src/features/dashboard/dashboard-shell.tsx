import { Outlet, useLocation, useMatches } from '@tanstack/react-router'
import { type ReactNode, useEffect } from 'react'
import { useSignedInUser } from '#app/lib/session.ts'
import { LoadFailure } from '#app/parts/load-failure.tsx'
import { useMe } from '#app/parts/use-me.ts'
import { Container } from '#app/ui/container.tsx'
import { PendingShapes } from '#app/ui/pending-shapes.tsx'
import { ProvidersOnly, SecondStepFirst, SessionOver } from './not-here.tsx'
import { Sidebar } from './sidebar.tsx'

/** Whether the page of the dashboard that was open last had the site's header; null before any was. */
let wasBare: boolean | null = null

function useIsBare(): boolean {
  return useMatches({
    select: (matches) => matches.some((match) => match.staticData.isBare === true),
  })
}

/**
 * Between pages with and without the site's header everything is drawn anew and focus is lost: then
 * the new heading takes it, as between any two pages.
 */
function useFocusInNewFrame(isBare: boolean): void {
  useEffect(() => {
    const isNewFrame = wasBare !== null && wasBare !== isBare
    wasBare = isBare
    if (!isNewFrame) return
    const take = () => {
      const heading = document.querySelector<HTMLElement>('main h1')
      if (heading === null) return
      watch.disconnect()
      if (document.activeElement !== document.body) return
      heading.tabIndex = -1
      heading.focus({ preventScroll: true })
    }
    // The page may still be on its way.
    const watch = new MutationObserver(take)
    watch.observe(document.body, { childList: true, subtree: true })
    take()
    return () => watch.disconnect()
  }, [isBare])
}

/** What a page shows of itself as patients see it needs the whole width, as it has for them. */
function useIsPreview(): boolean {
  return useLocation({ select: ({ search }) => 'view' in search && search.view === 'preview' })
}

/** Sidebar and page side by side from 768 pixels; the bank accounts bring no header above them. */
function Columns({ children }: { children: ReactNode }) {
  const isPreview = useIsPreview()
  const isBare = useIsBare()
  if (isPreview) return children
  const columns = (
    <div className="md:grid md:grid-cols-[15rem_minmax(0,1fr)] md:gap-8 lg:gap-12 print:block!">
      <Sidebar />
      <div className="min-w-0 max-md:mt-6">{children}</div>
    </div>
  )
  return isBare ? (
    <div data-wide>{columns}</div>
  ) : (
    <Container className="md:pt-8 lg:pt-12">{columns}</Container>
  )
}

const waiting = <PendingShapes shapes={['h-10 w-72 max-w-full', 'h-48', 'h-48']} />

/** The provider's side of the site: the sidebar beside whatever page was asked for. */
export function DashboardShell() {
  useFocusInNewFrame(useIsBare())
  const isSignedIn = useSignedInUser() !== null
  const { data: me, error, refetch } = useMe()
  if (!isSignedIn || me === null) return <SessionOver />
  if (me === undefined && error) {
    return (
      <Columns>
        <h1 className="sr-only">Dashboard</h1>
        <LoadFailure
          title="Your dashboard did not load"
          error={error}
          onRetry={() => void refetch()}
        />
      </Columns>
    )
  }
  if (me !== undefined && me.kind !== 'provider') return <ProvidersOnly />
  if (me?.must_set_second_factor === true) return <SecondStepFirst />
  return <Columns>{me === undefined ? waiting : <Outlet />}</Columns>
}
