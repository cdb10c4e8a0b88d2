import { useMutation } from '@tanstack/react-query'
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { closeCookieBanner, consentId, keepConsent } from '#app/lib/consent.ts'
import { describeFailure } from '#app/lib/errors.ts'
import { trpc } from '#app/trpc.ts'
import { Button, TextLink } from '#app/ui/button.tsx'
import { Container } from '#app/ui/card.tsx'
import { Checkbox } from '#app/ui/checkbox.tsx'
import type { Consent } from '#contract/profiles.ts'

type Choice = NonNullable<Consent>

const ALL: Choice = { preferences: true, statistics: true }
const NECESSARY: Choice = { preferences: false, statistics: false }

/** Sends the answer under its id, and keeps the id once it has been kept there. */
function useAnswer() {
  const utils = trpc.useUtils()
  return useMutation({
    mutationFn: async (choice: Choice) => {
      const consentID = consentId() ?? crypto.randomUUID()
      await utils.client.profiles.saveConsent.mutate({ consentID, ...choice })
      return consentID
    },
    onSuccess: async (id) => {
      keepConsent(id)
      await utils.profiles.consent.invalidate()
    },
  })
}

type ChoicesProps = { choice: Choice; setChoice: (choice: Choice) => void }

function Choices({ choice, setChoice }: ChoicesProps) {
  const box = useRef<HTMLFieldSetElement>(null)
  // The button that was pressed is gone.
  useEffect(() => box.current?.querySelector<HTMLElement>('input:enabled')?.focus(), [])
  return (
    <fieldset ref={box}>
      <legend className="sr-only">What may be kept</legend>
      <div className="flex flex-wrap gap-x-6">
        <Checkbox label="Necessary (always on)" checked disabled />
        <Checkbox
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
    </fieldset>
  )
}

/**
 * Tells the page how high the banner stands, so that it leaves that much room at its end and no
 * control that takes focus hides behind the banner (base.css).
 */
function useRoomFor(panel: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const { style } = document.documentElement
    const watcher = new ResizeObserver(() =>
      style.setProperty('--banner-height', `${panel.current?.offsetHeight ?? 0}px`),
    )
    if (panel.current !== null) watcher.observe(panel.current)
    return () => {
      watcher.disconnect()
      style.removeProperty('--banner-height')
    }
  }, [panel])
}

/** Three answers side by side, on the smallest phone too. */
const answerClass = 'max-nav:flex-1 max-nav:px-1.5 px-3 whitespace-nowrap'

/**
 * Asks once what may be kept beyond the necessary; all answers are equally near. It stands beside
 * the page and not before it: nothing is blocked, and ignoring it means "only necessary".
 */
export function CookieBanner() {
  const panel = useRef<HTMLElement>(null)
  // What is ticked while choosing; null while there is nothing to tick.
  const [choice, setChoice] = useState<Choice | null>(null)
  useRoomFor(panel)
  const known = consentId()
  const answer = useAnswer()
  const { data: kept } = trpc.profiles.consent.useQuery(
    { consentID: known ?? '' },
    { enabled: known !== null },
  )
  useEffect(() => {
    // Asked for from the footer, it takes focus and gives it back; on arrival it does neither.
    if (consentId() === null) return
    const asked = document.activeElement
    panel.current?.focus()
    return () => {
      if (asked instanceof HTMLElement) asked.focus({ preventScroll: true })
    }
  }, [])

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
          {/* No heading: the page's own first one comes after it. */}
          <p id="cookies-title" className="font-semibold">
            Cookies
          </p>
          <p className="max-w-prose text-sm">
            We keep what the site needs to work. May we also keep your preferences, and count visits
            without knowing who you are?{' '}
            <TextLink to="/privacy-cookie" hash="cookies">
              What is kept
            </TextLink>
          </p>
          {choice !== null && <Choices choice={choice} setChoice={setChoice} />}
          <p role="alert" className="text-sm font-medium text-danger">
            {answer.error && describeFailure(answer.error).sentence}
          </p>
        </div>
        <div className="mt-2 flex shrink-0 flex-wrap gap-2 nav:mt-0">
          <Button variant="secondary" className={answerClass} onClick={() => answer.mutate(ALL)}>
            Accept all
          </Button>
          <Button
            variant="secondary"
            className={answerClass}
            onClick={() => answer.mutate(NECESSARY)}
          >
            Only necessary
          </Button>
          {choice === null ? (
            <Button
              key="choose"
              variant="secondary"
              className={answerClass}
              onClick={() => setChoice(kept ?? NECESSARY)}
            >
              Choose
            </Button>
          ) : (
            <Button key="save" className={answerClass} onClick={() => answer.mutate(choice)}>
              Save choice
            </Button>
          )}
          {known !== null && (
            <Button variant="quiet" className={answerClass} onClick={closeCookieBanner}>
              Close
            </Button>
          )}
        </div>
      </Container>
    </section>
  )
}
