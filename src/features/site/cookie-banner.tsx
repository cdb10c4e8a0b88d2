import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { closeCookieBanner, consentId, keepConsent } from '#app/lib/consent.ts'
import { describeFailure } from '#app/lib/errors.ts'
import { useApi, useTrpc } from '#app/trpc.ts'
import { Button } from '#app/ui/button.tsx'
import { Checkbox } from '#app/ui/checkbox.tsx'
import { Container } from '#app/ui/container.tsx'
import { TextLink } from '#app/ui/text-link.tsx'
import type { Consent } from '#contract/profiles.ts'

type Choice = NonNullable<Consent>

const ALL: Choice = { preferences: true, statistics: true }
const NECESSARY: Choice = { preferences: false, statistics: false }

/** Sends the answer under its id, and keeps the id once it has been kept there. */
function useAnswer() {
  const api = useApi()
  const client = useQueryClient()
  const { queryKey } = useTrpc().profiles.consent.queryOptions({ consentID: '' })
  const [path] = queryKey
  return useMutation({
    mutationFn: async (choice: Choice) => {
      const consentID = consentId() ?? crypto.randomUUID()
      await api.profiles.saveConsent.mutate({ consentID, ...choice })
      return consentID
    },
    onSuccess: async (id) => {
      keepConsent(id)
      await client.invalidateQueries({ queryKey: [path] })
    },
  })
}

function Choices({ kept, onSave }: { kept: Choice; onSave: (choice: Choice) => void }) {
  const [choice, setChoice] = useState(kept)
  const first = useRef<HTMLInputElement>(null)
  // The button that was pressed to get here is gone.
  useEffect(() => first.current?.focus(), [])
  return (
    <fieldset className="mt-2">
      <legend className="sr-only">What may be kept</legend>
      <div className="flex flex-wrap gap-x-6">
        <Checkbox label="Necessary (always on)" checked disabled />
        <Checkbox
          ref={first}
          label="Preferences"
          checked={choice.preferences}
          onChange={({ target }) => setChoice({ ...choice, preferences: target.checked })}
        />
        <Checkbox
          label="Statistics"
          checked={choice.statistics}
          onChange={({ target }) => setChoice({ ...choice, statistics: target.checked })}
        />
      </div>
      <Button className="mt-2" onClick={() => onSave(choice)}>
        Save choice
      </Button>
    </fieldset>
  )
}

/**
 * Asks once what may be kept beyond the necessary; all answers are equally near. It stands beside
 * the page and not before it: nothing is blocked, and ignoring it means "only necessary".
 */
export function CookieBanner() {
  const panel = useRef<HTMLElement>(null)
  const [isChoosing, setChoosing] = useState(false)
  const known = consentId()
  const answer = useAnswer()
  const { data: kept } = useQuery({
    ...useTrpc().profiles.consent.queryOptions({ consentID: known ?? '' }),
    enabled: known !== null,
  })
  useEffect(() => {
    // Asked for from the footer, it takes focus; on arrival it does not.
    if (known !== null) panel.current?.focus()
  }, [known])

  return (
    <section
      ref={panel}
      tabIndex={-1}
      aria-labelledby="cookies-title"
      aria-busy={answer.isPending}
      className="no-print fixed inset-x-0 bottom-0 z-40 max-h-[60dvh] overflow-y-auto border-t border-line bg-surface py-3 shadow-float"
    >
      <Container className="nav:flex nav:items-center nav:justify-between nav:gap-8">
        <div>
          <h2 id="cookies-title" className="font-semibold">
            Cookies
          </h2>
          <p className="max-w-prose text-sm">
            We keep what the site needs to work. May we also keep your preferences, and count visits
            without knowing who you are?{' '}
            <TextLink to="/privacy-cookie" hash="cookies">
              What is kept
            </TextLink>
          </p>
          {isChoosing && <Choices kept={kept ?? NECESSARY} onSave={answer.mutate} />}
          <p role="alert" className="text-sm font-medium text-danger">
            {answer.error && describeFailure(answer.error).sentence}
          </p>
        </div>
        <div className="mt-2 flex shrink-0 flex-wrap gap-2 nav:mt-0">
          <Button variant="secondary" className="px-3" onClick={() => answer.mutate(ALL)}>
            Accept all
          </Button>
          <Button variant="secondary" className="px-3" onClick={() => answer.mutate(NECESSARY)}>
            Only necessary
          </Button>
          {!isChoosing && (
            <Button variant="quiet" className="px-3" onClick={() => setChoosing(true)}>
              Choose
            </Button>
          )}
          {known !== null && (
            <Button variant="quiet" onClick={closeCookieBanner}>
              Close
            </Button>
          )}
        </div>
      </Container>
    </section>
  )
}
