import { formatMoney } from '#app/lib/format/money.ts'
import { RadioCards } from '#app/ui/fields.tsx'
import type { OfferedVisitType, ProviderProfile, VisitMode } from '#contract/search.ts'
import type { ProfileSearch } from './profile-search.ts'

type RequestedVisit = Pick<ProfileSearch, 'type' | 'mode'>

/**
 * The visit type named in the URL. If that is missing or cannot be booked, the first that takes place in the
 * requested mode, as search results show it, or else the first that can be booked. Undefined for a provider with a
 * single type, where there is no choice.
 */
export function chosenType(
  { visitTypes }: Pick<ProviderProfile, 'visitTypes'>,
  { type, mode }: RequestedVisit,
): OfferedVisitType | undefined {
  if (visitTypes.length < 2) return undefined
  return (
    visitTypes.find(({ id, modes }) => id === type && modes.length > 0) ??
    visitTypes.find((one) => requestedMode(one, mode) !== undefined) ??
    visitTypes.find(({ modes }) => modes.length > 0) ??
    visitTypes[0]
  )
}

/** The type as a URL parameter: omitted for the first one, whose times search results show as well. */
export function typeParam(
  { visitTypes }: Pick<ProviderProfile, 'visitTypes'>,
  type: OfferedVisitType | undefined,
): string | undefined {
  return type?.id === visitTypes[0]?.id ? undefined : type?.id
}

const modePhrases: Record<VisitMode, string> = { in_person: 'in person', video: 'by video' }

function detailOf({ minutes, modes, place }: OfferedVisitType): string {
  const how = modes.map((mode) => modePhrases[mode]).join(' or ')
  return [`${minutes} minutes`, how, place].filter(Boolean).join(' · ')
}

function feeOf({ fee, followUpFee }: OfferedVisitType) {
  const isSame = fee.minor === followUpFee.minor
  return (
    <>
      <span className="block font-semibold">{formatMoney(fee)}</span>
      {!isSame && (
        <span className="block text-sm text-muted">{formatMoney(followUpFee)} follow-up</span>
      )}
    </>
  )
}

type VisitTypePickerProps = {
  profile: Pick<ProviderProfile, 'visitTypes'>
  asked: RequestedVisit
  onAsk: (asked: RequestedVisit) => void
}

/** Chooses the visit type and mode before the time; nothing for a provider with a single type. */
export function VisitTypePicker({ profile, asked, onAsk }: VisitTypePickerProps) {
  const type = chosenType(profile, asked)
  if (type === undefined) return null
  const mode = modeOf(type, asked)
  const choose = (id: string) => {
    const next = profile.visitTypes.find((one) => one.id === id)
    // With its own mode if it lacks the requested one, which would choose another type.
    onAsk({ type: typeParam(profile, next), mode: next && modeOf(next, asked) })
  }
  return (
    <div className="mb-6 flex flex-col gap-5">
      <RadioCards
        name="visit-type"
        legend="What is it about?"
        value={type.id}
        onChange={choose}
        choices={profile.visitTypes
          .filter(({ modes }) => modes.length > 0)
          .map((one) => {
            return { value: one.id, label: one.name, detail: detailOf(one), aside: feeOf(one) }
          })}
      />
      {type.modes.length > 1 && (
        <RadioCards
          name="visit-mode"
          legend="How would you like to be seen?"
          isCompact
          value={mode}
          onChange={(way) => onAsk({ type: typeParam(profile, type), mode: way })}
          choices={[
            { value: 'in_person', label: 'In person' },
            { value: 'video', label: 'By video' },
          ]}
        />
      )}
    </div>
  )
}

/** The mode named in the URL, if the type offers it. */
export function requestedMode(
  { modes }: Pick<OfferedVisitType, 'modes'>,
  mode: VisitMode | undefined,
): VisitMode | undefined {
  return mode !== undefined && modes.includes(mode) ? mode : undefined
}

function modeOf(type: OfferedVisitType, { mode }: RequestedVisit): VisitMode {
  return requestedMode(type, mode) ?? type.modes[0] ?? 'in_person'
}
