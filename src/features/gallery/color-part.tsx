import { useId, useState } from 'react'
import { cx } from '#app/lib/cx.ts'
import { useStaffRefusal } from '#app/parts/role-guard.tsx'
import type { ApiClient } from '#app/trpc.ts'
import { Button } from '#app/ui/button.tsx'
import { controlClass } from '#app/ui/field.tsx'
import { type HomepageState, NAMED_COLORS } from '#contract/gallery-staff.ts'
import { errorMessage } from '#contract/sentences.ts'
import { PublishResult } from './publish-result.tsx'
import { useBaseVersion, usePublish } from './use-gallery.ts'

/** Suggested calm background colours that suit the page. */
const SUGGESTED_COLORS = ['white', 'beige', 'honeydew', 'azure', 'mistyrose', 'teal']

/** Parses typed text to `#rrggbb`; null if it is not a colour. */
function parseColor(typed: string): string | null {
  const text = typed.trim().toLowerCase()
  const color = NAMED_COLORS.get(text) ?? text
  return /^#[0-9a-f]{6}$/.test(color) ? color : null
}

type ColorPartProps = {
  current: HomepageState
  /** Called with the colour being previewed; null for the published one. */
  onTry: (color: string | null) => void
  /** Id of the text explaining why this user may not publish. */
  reasonId: string
}

/** The colour behind the top of the home page. */
export function ColorPart({ current, onTry, reasonId }: ColorPartProps) {
  const id = useId()
  const isBarred = useStaffRefusal('publish') !== null
  const [typed, setTyped] = useState(current.color)
  const [base, setBase] = useState(current)
  const [tries, setTries] = useState(0)
  /** True if the field holds a value that is not published. */
  const [isTyped, setIsTyped] = useState(false)
  const [isRefused, setIsRefused] = useState(false)
  const { publish, isBusy, published, failure } = usePublish(current)
  useBaseVersion(current, [base, setBase], {
    isClean: !isTyped,
    told: failure?.code === 'homepage_changed' ? tries : 0,
    adopt: (now) => setTyped(now.color),
  })
  const color = parseColor(typed)
  const pick = (text: string) => {
    setTyped(text)
    setIsTyped(true)
    setIsRefused(false)
    onTry(parseColor(text))
  }
  const gate = { disabled: isBarred, 'aria-describedby': isBarred ? reasonId : undefined }
  return (
    <form
      noValidate
      aria-label="Homepage colour"
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        setIsRefused(color === null)
        if (color === null || isBusy) return
        const act = async (client: ApiClient, version: number) => {
          const now = await client.gallery.publishColor.mutate({ color, version })
          onTry(null)
          setIsTyped(false)
          return now
        }
        setTries(tries + 1)
        publish('Homepage color updated!', act, base.version)
        setTyped(color)
      }}
    >
      <div className="flex items-end gap-3">
        <div className="flex flex-col gap-1.5">
          <label htmlFor={`${id}-picker`} className="font-semibold">
            Colour
          </label>
          <input
            id={`${id}-picker`}
            type="color"
            value={color ?? current.color}
            onChange={({ target }) => pick(target.value)}
            {...gate}
            className="h-11 w-16 cursor-pointer rounded-field border border-field bg-surface p-1 disabled:cursor-not-allowed"
          />
        </div>
        <div className="flex min-w-0 flex-1 flex-col gap-1.5">
          <label htmlFor={`${id}-text`} className="font-semibold">
            Code or name
          </label>
          <input
            id={`${id}-text`}
            type="text"
            value={typed}
            spellCheck={false}
            autoComplete="off"
            onChange={({ target }) => pick(target.value)}
            disabled={isBarred}
            aria-invalid={isRefused || undefined}
            aria-describedby={isRefused ? `${id}-error` : isBarred ? reasonId : undefined}
            className={cx(controlClass, 'tabular')}
          />
        </div>
      </div>
      {isRefused && (
        <p id={`${id}-error`} role="alert" className="text-sm font-medium text-danger">
          {errorMessage('color_invalid')}
        </p>
      )}
      <div role="group" aria-label="Suggested colours" className="-mx-1 flex flex-wrap">
        {SUGGESTED_COLORS.map((name) => (
          <button
            key={name}
            type="button"
            title={name}
            aria-label={name}
            aria-pressed={color === NAMED_COLORS.get(name)}
            disabled={isBarred}
            onClick={() => pick(NAMED_COLORS.get(name) ?? name)}
            className="group flex size-11 items-center justify-center rounded-full disabled:cursor-not-allowed"
          >
            <span
              style={{ backgroundColor: NAMED_COLORS.get(name) }}
              className="size-8 rounded-full border border-field group-aria-pressed:outline-3 group-aria-pressed:outline-offset-2 group-aria-pressed:outline-brand"
            />
          </button>
        ))}
      </div>
      <Button type="submit" isBusy={isBusy} {...gate} className="self-start">
        Set Color
      </Button>
      <PublishResult
        published={published}
        failure={failure}
        failureTitle="The colour was not set"
      />
    </form>
  )
}
