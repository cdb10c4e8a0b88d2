import * as z from 'zod/mini'
import { NO_TIME } from '#app/features/availability/hours/draft.ts'
import { blockZone, hour12Of, type Time } from '#app/features/availability/hours/hours-format.ts'
import { StaleHelp, useConfirmedChange } from '#app/features/availability/own/own-hours.tsx'
import { TimeRange } from '#app/features/availability/own/time-field.tsx'
import { useForm } from '#app/lib/forms/use-form.ts'
import { PartBoundary } from '#app/parts/data-boundary.tsx'
import { trpc } from '#app/trpc.ts'
import { TextInput } from '#app/ui/fields.tsx'
import { Checkbox } from '#app/ui/form-controls.tsx'
import { FormButtons, FormFrame } from '#app/ui/form-frame.tsx'
import { PendingShapes } from '#app/ui/page.tsx'
import { showToast } from '#app/ui/toast.tsx'
import type { Availability } from '#contract/availability.ts'
import { errorMessage } from '#contract/base/sentences.ts'

type Block = Availability['blocks'][number]

type Values = {
  date: string
  from: Time
  to: Time
  weekly: boolean
  /** Empty means without an end. */
  until: string
  note: string
}

const BlockSchema = z
  .object({
    date: z.iso.date({ error: 'date_invalid' }),
    from: z.number({ error: NO_TIME }),
    to: z.number({ error: NO_TIME }),
    weekly: z.boolean(),
    until: z.union([z.literal(''), z.iso.date({ error: 'date_invalid' })]),
    note: z.string().check(z.trim(), z.maxLength(200, { error: 'Use at most 200 characters.' })),
  })
  .check(
    z.refine(({ from, to }) => to > from, { error: errorMessage('hours_inverted'), path: ['to'] }),
    z.refine(({ date, weekly, until }) => !weekly || until === '' || until >= date, {
      error: errorMessage('dates_inverted'),
      path: ['until'],
    }),
  )

type BlockFormProps = {
  mine: Availability
  /** The block to change; a new one when null. */
  block: Block | null
  /** Initial values of a new block; today at noon when omitted. */
  start?: { date: string; from: number; to: number }
  /** False while another form is shown in its place: what was typed stays. */
  isShown?: boolean
  onClose: () => void
}

/** Form for part of a day without bookings, once or weekly. */
export function BlockForm({ mine, block, start, isShown = true, onClose }: BlockFormProps) {
  const { client } = trpc.useUtils()
  const { send, question } = useConfirmedChange(mine.places)
  const zone = blockZone(mine)
  const blank: Values = {
    date: block?.date ?? start?.date ?? mine.today,
    from: block?.from ?? start?.from ?? 720,
    to: block?.to ?? start?.to ?? 780,
    weekly: block?.weekly ?? false,
    until: block?.until ?? '',
    note: block?.note ?? '',
  }
  const form = useForm({
    blank,
    schema: BlockSchema,
    send: ({ weekly, until, ...input }) =>
      send((confirmed) =>
        client.availability.addBlock.mutate({
          ...input,
          weekly,
          until: weekly && until !== '' ? until : null,
          version: mine.version,
          confirmed,
          ...(block !== null && { replaces: block.id }),
        }),
      ),
    codeFields: { date_too_far: 'date', date_invalid: 'date' },
    onSent: ({ saved }) => {
      if (!saved) return
      onClose()
      void showToast(block === null ? 'The time is blocked.' : 'The block is saved.')
    },
  })
  return (
    <>
      {isShown && (
        <FormFrame
          form={form}
          label={block === null ? 'Block time' : 'Change the block'}
          failureTitle="Not saved"
        >
          <StaleHelp failure={form.failure} />
          <TextInput type="date" label="Day" className="max-w-52" {...form.text('date')} />
          <TimeRange
            id={form.id}
            range={form.values}
            errors={form.errors}
            hour12={hour12Of(mine)}
            onChange={(field, time) => form.set(field, time)}
          />
          {zone !== null && <p className="text-muted">In {zone}, at all your places.</p>}
          <Checkbox
            id={`${form.id}-weekly`}
            label="Every week"
            checked={form.values.weekly}
            onChange={({ target }) => form.set('weekly', target.checked)}
          />
          {form.values.weekly && (
            <TextInput
              type="date"
              label="Until"
              isOptional
              hint="Leave this empty to block it every week from now on."
              className="max-w-52"
              min={form.values.date}
              {...form.text('until')}
            />
          )}
          <TextInput
            label="Note"
            isOptional
            hint="Only you see it."
            maxLength={200}
            {...form.text('note')}
          />
          <FormButtons
            send={block === null ? 'Block this time' : 'Save block'}
            isBusy={form.isBusy}
            onCancel={onClose}
          />
        </FormFrame>
      )}
      {question}
    </>
  )
}

type AddBlockProps = Pick<BlockFormProps, 'start' | 'isShown' | 'onClose'>

function LoadedAddBlock(props: AddBlockProps) {
  const [mine] = trpc.availability.mine.useSuspenseQuery(undefined, { staleTime: 0 })
  return <BlockForm {...props} mine={mine} block={null} />
}

/** The form as opened from the calendar, once the availability is loaded. */
export function AddBlock(props: AddBlockProps) {
  return (
    <PartBoundary failed="Your hours didn’t load" pending={<PendingShapes shapes={['h-64']} />}>
      <LoadedAddBlock {...props} />
    </PartBoundary>
  )
}
