import { useEffect, useRef, useState } from 'react'
import { useForm } from '#app/lib/use-form.ts'
import { trpc } from '#app/trpc.ts'
import { Button, textLinkClass } from '#app/ui/button.tsx'
import { Checkbox } from '#app/ui/checkbox.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { FormButtons, FormFrame } from '#app/ui/form-frame.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { TextInput } from '#app/ui/text-input.tsx'
import { showToast } from '#app/ui/toast.tsx'
import { type CreateFeedAnswer, CreateFeedInput } from '#contract/calendars.ts'

type FeedDialogProps = { isProvider: boolean; onClose: () => void }

/** Creates a calendar link: its name, what it shows, and its URL, shown once. */
export function FeedDialog({ isProvider, onClose }: FeedDialogProps) {
  const [made, setMade] = useState<CreateFeedAnswer | null>(null)
  const title = made === null ? 'New calendar link' : 'Copy your calendar link'
  return (
    <Dialog isOpen onClose={onClose} title={title}>
      {made === null ? (
        <FeedForm isProvider={isProvider} onMade={setMade} onClose={onClose} />
      ) : (
        <FeedAddress url={made.url} onDone={onClose} />
      )}
    </Dialog>
  )
}

type FeedFormProps = FeedDialogProps & { onMade: (made: CreateFeedAnswer) => void }

function FeedForm({ isProvider, onMade, onClose }: FeedFormProps) {
  const utils = trpc.useUtils()
  const form = useForm({
    blank: { name: '', showsNames: false },
    schema: CreateFeedInput,
    send: (input) => utils.client.calendars.create.mutate(input),
    onSent: async (answer) => {
      onMade(answer)
      await utils.calendars.list.invalidate()
    },
  })
  const { showsNames } = form.values
  return (
    <FormFrame form={form} label="New calendar link" failureTitle="No link was created">
      <TextInput
        label="Name"
        hint="The calendar that will use it, such as Phone."
        autoComplete="off"
        maxLength={60}
        {...form.text('name')}
      />
      {isProvider && (
        <div>
          <Checkbox
            label="Show the first names of patients"
            checked={showsNames}
            onChange={() => form.set('showsNames', !showsNames)}
          />
          <p className="text-sm text-muted">
            Without this, visits appear as “Visit” and their reference.
          </p>
        </div>
      )}
      <FormButtons send="Create link" isBusy={form.isBusy} onCancel={onClose} />
    </FormFrame>
  )
}

/** The URL itself, shown only this once. */
function FeedAddress({ url, onDone }: { url: string; onDone: () => void }) {
  const start = useRef<HTMLParagraphElement>(null)
  useEffect(() => start.current?.focus(), [])
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(url)
      await showToast('Copied.')
    } catch {
      await showToast('Your browser blocked copying. Select the link and copy it yourself.')
    }
  }
  return (
    <div className="flex flex-col gap-4">
      <p ref={start} tabIndex={-1} className="outline-none">
        In your calendar, choose to add a calendar from a link or by URL, and paste this. On an
        iPhone or a Mac you can{' '}
        <a href={url.replace(/^https?:/, 'webcal:')} className={textLinkClass}>
          open it in Calendar
        </a>
        .
      </p>
      <p
        aria-label="Calendar link"
        className="rounded-card border border-line bg-sunken p-4 font-semibold wrap-anywhere select-all"
      >
        {url}
      </p>
      <Notice kind="warn" title="We’ll only show it once">
        <p>
          Anyone who has this link can see your visits, so don’t share it. You can revoke it here.
        </p>
      </Notice>
      <div className="flex flex-wrap gap-3">
        <Button onClick={() => void copy()}>Copy link</Button>
        <Button variant="secondary" onClick={onDone}>
          Done
        </Button>
      </div>
    </div>
  )
}
