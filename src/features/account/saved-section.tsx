import { Link } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { focusHeading } from '#app/lib/browser-hooks.ts'
import { dayOf, formatRelativeDay, formatTime } from '#app/lib/format/dates.ts'
import { formatMoney } from '#app/lib/format/money.ts'
import { DataBoundary } from '#app/parts/data-boundary.tsx'
import { ProviderPhoto } from '#app/parts/provider-facts.tsx'
import { SaveButton } from '#app/parts/save-button.tsx'
import { trpc } from '#app/trpc.ts'
import { LinkButton } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/notice.tsx'
import { PendingShapes } from '#app/ui/page.tsx'
import type { Favourite } from '#contract/profiles.ts'
import { AccountSection } from './account-section.tsx'

/** The patient's saved providers, the latest first. */
export function SavedSection() {
  return (
    <AccountSection id="saved" title="Saved">
      <DataBoundary
        failed="Your saved providers didn’t load"
        pending={
          <PendingShapes
            className="grid gap-3"
            shapes={['h-28 rounded-card', 'h-28 rounded-card']}
          />
        }
      >
        <SavedList />
      </DataBoundary>
    </AccountSection>
  )
}

function SavedList() {
  const [saved] = trpc.profiles.favourites.useSuspenseQuery({})
  const count = useRef(saved.length)
  // The pressed heart is gone with its card.
  useEffect(() => {
    const isLost = saved.length < count.current && document.activeElement === document.body
    if (isLost) focusHeading(document.getElementById('saved-title'))
    count.current = saved.length
  }, [saved])
  if (saved.length === 0) {
    return (
      <EmptyState
        level={3}
        title="No saved providers yet"
        actions={<LinkButton to="/home">Find a doctor or dentist</LinkButton>}
      >
        <p>Press the heart beside a doctor or dentist to save them here.</p>
      </EmptyState>
    )
  }
  return (
    <ul className="flex flex-col gap-3">
      {saved.map((one) => (
        <li key={one.providerId}>
          <SavedCard favourite={one} />
        </li>
      ))}
    </ul>
  )
}

type Shown = NonNullable<Favourite['provider']>

function NextFree({ nextFree, place: { timeZone } }: Shown) {
  if (nextFree === null) return <p className="text-sm text-muted">No online times at the moment</p>
  const day = formatRelativeDay(dayOf(nextFree, timeZone), timeZone)
  return (
    <p className="tabular text-sm font-semibold text-accent">
      Next free: {day}, {formatTime(nextFree, timeZone)}
    </p>
  )
}

function SavedCard({ favourite: { providerId, provider } }: { favourite: Favourite }) {
  const name = provider?.name ?? 'this provider'
  return (
    <article className="flex flex-wrap gap-4 rounded-card border border-line bg-surface p-4 sm:flex-nowrap sm:p-5">
      {provider === null ? (
        <p className="min-w-0 flex-1 self-center text-muted">
          This provider is no longer listed here.
        </p>
      ) : (
        <>
          <ProviderPhoto name={provider.name} photo={provider.photo} size="small" />
          <div className="min-w-0 flex-1">
            <h3 className="font-display text-lg leading-tight font-medium">
              <Link
                to="/doctor-profile/$id/$distance"
                params={{ id: providerId, distance: 'saved' }}
                search={{ region: provider.region }}
                className="text-ink decoration-1 underline-offset-[0.2em] hover:text-brand-deep hover:underline"
              >
                {provider.name}
              </Link>
            </h3>
            <p className="leading-snug">{provider.specialty}</p>
            <p className="mt-1 text-sm text-muted">
              {provider.place.name}, {provider.place.locality}{' '}
              <span className="whitespace-nowrap">{provider.place.postcode}</span> · First visit{' '}
              {formatMoney(provider.fee)}
            </p>
            <NextFree {...provider} />
          </div>
        </>
      )}
      <div className="-mt-1.5 -mr-1.5">
        <SaveButton providerId={providerId} name={name} />
      </div>
    </article>
  )
}
