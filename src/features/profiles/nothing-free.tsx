import { CalendarX } from 'lucide-react'
import { midSentence } from '#app/lib/mid-sentence.ts'
import { buttonClass } from '#app/ui/button-class.ts'
import { textLinkClass } from '#app/ui/text-link.tsx'
import type { ProviderProfile } from '#contract/search.ts'

/** No free time online: never a dead end, but the ways that are left. */
export function NothingFree({ profile }: { profile: ProviderProfile }) {
  const phone = profile.places[0]?.phone
  return (
    <div className="flex flex-col gap-4">
      <p className="flex gap-2.5">
        <CalendarX
          aria-hidden="true"
          strokeWidth={1.75}
          className="mt-0.5 size-5 shrink-0 text-muted"
        />
        <span>
          {profile.name} has no online times at the moment. Write to ask for one
          {phone ? ', or phone the practice.' : '.'}
        </span>
      </p>
      <a href="#contact" className={buttonClass()}>
        Ask for a time
      </a>
      {phone && (
        <a
          href={`tel:${phone.replaceAll(/[^+\d]/g, '')}`}
          className={`${buttonClass('secondary')} tabular`}
        >
          Phone {phone}
        </a>
      )}
      {profile.nearby.length > 0 && (
        <p>
          Or see{' '}
          <a href="#nearby" className={textLinkClass}>
            other {midSentence(profile.specialty.plural)} nearby
          </a>{' '}
          who are free.
        </p>
      )}
    </div>
  )
}
