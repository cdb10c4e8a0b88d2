import { formatDay, zoneLabel } from '#app/lib/format-time.ts'
import { formatWallTime, type SlotChoice } from '#app/lib/slot-choice.ts'
import { ProviderPhoto } from '#app/parts/provider-photo.tsx'
import type { ProviderProfile } from '#contract/search.ts'

type ChoiceFactsProps = { profile: ProviderProfile; choice: SlotChoice; timeZone: string }

/** Who and when, before the time is held: what signing in will come back to. */
export function ChoiceFacts({ profile, choice, timeZone }: ChoiceFactsProps) {
  // Of several only the hold knows which one the time is at.
  const [place, other] = profile.places
  return (
    <div className="flex items-center gap-4 rounded-card border border-line bg-surface p-4 sm:p-5">
      <ProviderPhoto name={profile.name} photo={profile.photo} size="small" isEager />
      <div className="min-w-0">
        <p className="font-display text-lg leading-tight font-medium">{profile.name}</p>
        <p className="tabular font-semibold">
          {formatDay(choice.date, timeZone, 'long')}, {formatWallTime(choice.time, timeZone)}
        </p>
        <p className="text-sm text-muted">
          {zoneLabel(`${choice.date}T12:00:00Z`, timeZone)}
          {place && other === undefined && `, ${place.name}`}
        </p>
      </div>
    </div>
  )
}
