import { plural } from '#app/features/availability/hours/words.ts'
import { Button } from '#app/ui/button.tsx'
import type { Editor } from './use-editor.ts'

type SaveBarProps = { editor: Editor; isBusy: boolean; onSave: () => void }

function words({ base, changes, isTouched, isSound, problems }: Editor): string {
  if (!isSound) {
    return plural(Math.max(1, problems.size), 'mistake')
  }
  if (base.version === 0 && !isTouched) return 'A week to begin with, not saved yet'
  return changes === 0 ? 'Everything is saved' : plural(changes, 'change')
}

/** What is not saved yet, and saving it; always in view while there is something to save. */
export function SaveBar({ editor, isBusy, onSave }: SaveBarProps) {
  const { changes, isTouched, discard } = editor
  const hasWork = changes > 0 || !editor.isSound
  return (
    <div
      className={
        hasWork
          ? 'sticky bottom-[calc(var(--banner-height,0px)+0.75rem)] z-10 rounded-card border border-line bg-surface p-3 shadow-float sm:px-4'
          : 'rounded-card border border-transparent py-1'
      }
    >
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p role="status" className={hasWork ? 'font-semibold' : 'text-muted'}>
          {words(editor)}
        </p>
        {hasWork && (
          <div className="flex gap-2">
            {isTouched && (
              <Button variant="quiet" onClick={discard}>
                Discard
              </Button>
            )}
            <Button isBusy={isBusy} onClick={onSave}>
              Save hours
            </Button>
          </div>
        )}
      </div>
    </div>
  )
}
