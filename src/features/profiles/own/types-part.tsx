import { Plus } from 'lucide-react'
import { type RefObject, useRef } from 'react'
import { useFormInPlace } from '#app/lib/browser-hooks.ts'
import { describeFailure } from '#app/lib/errors.ts'
import { formatMajorUnits, formatMoney, parseMinorUnits } from '#app/lib/format/money.ts'
import { useForm } from '#app/lib/forms/use-form.ts'
import { trpc } from '#app/trpc.ts'
import { Button } from '#app/ui/button.tsx'
import { Select, TextInput } from '#app/ui/fields.tsx'
import { FormButtons, FormFrame } from '#app/ui/form-frame.tsx'
import { Badge, Notice } from '#app/ui/notice.tsx'
import { showToast } from '#app/ui/toast.tsx'
import {
  MAX_VISIT_TYPES,
  type OwnProfile,
  type OwnVisitType,
  SaveVisitTypeInput,
  VisitTypeMode,
} from '#contract/profiles-own.ts'
import { OwnSection, parseWhole, useUpdateOwnProfile } from './own-section.tsx'

type TypeTextProps = { profile: OwnProfile; type: OwnVisitType; isShown: boolean }

function TypeText({ profile, type, isShown }: TypeTextProps) {
  const { currency, places } = profile
  const place = places.find(({ id }) => id === type.placeId)
  const fee = (minor: number) => formatMoney({ minor, currency })
  return (
    <div className="min-w-0">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h3 data-type={type.id} tabIndex={-1} className="font-semibold wrap-anywhere">
          {type.name}
        </h3>
        {isShown && <Badge tone="brand">Shown in search</Badge>}
      </div>
      <p className="tabular">
        {type.minutes} minutes · {fee(type.amount)} new patient, {fee(type.follow_amount)} follow-up
      </p>
      <p className="text-muted">
        {typeModeLabels[type.mode]}
        {place !== undefined && `, only at ${place.hospital_name}`}
      </p>
    </div>
  )
}

/** The visit types in the order patients see them; archived ones can be restored. */
export function TypesPart({ profile }: { profile: OwnProfile }) {
  const types = profile.visitTypes.filter(({ isArchived }) => !isArchived)
  const archived = profile.visitTypes.filter(({ isArchived }) => isArchived)
  const box = useRef<HTMLDivElement>(null)
  // The pressed button may be gone: after a move, focus stays with the type.
  const focusType = (id: string | null) => {
    const wanted = id === null ? '[data-add-type]' : `[data-type="${id}"]`
    requestAnimationFrame(() => box.current?.querySelector<HTMLElement>(wanted)?.focus())
  }
  const ids = types.map(({ id }) => id)
  return (
    <OwnSection
      id="visit-types"
      title="Visit types"
      lead={
        types.length > 1
          ? 'Patients choose one before they pick a time. Search results show the price and times of the first one; a search by video shows those of the first you offer by video.'
          : 'If you have more than one, patients choose a type before they pick a time.'
      }
    >
      <div ref={box}>
        <ol className="flex flex-col divide-y divide-line">
          {types.map((type, at) => (
            <TypeItem
              key={type.id}
              profile={profile}
              type={type}
              isFirst={at === 0}
              ids={ids}
              onDone={focusType}
            />
          ))}
        </ol>
        <NewType profile={profile} isFull={types.length >= MAX_VISIT_TYPES} />
        {archived.length > 0 && (
          <div className="mt-6">
            <h3 className="font-semibold">Archived</h3>
            <p className="text-sm text-muted">
              Nobody can book these. Visits already booked stay booked.
            </p>
            <ul className="mt-2 flex flex-col divide-y divide-line">
              {archived.map((type) => (
                <li
                  key={type.id}
                  className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-2"
                >
                  <span className="min-w-0 wrap-anywhere">{type.name}</span>
                  <TypeActions type={type} ids={ids} onDone={focusType} />
                </li>
              ))}
            </ul>
          </div>
        )}
      </div>
    </OwnSection>
  )
}

type TypeActionsProps = {
  type: OwnVisitType
  /** The ids of all bookable types, in order. */
  ids: readonly string[]
  /** Called after an action with the type to focus; null if there is none. */
  onDone: (id: string | null) => void
  editButton?: RefObject<HTMLButtonElement | null>
  /** Omitted for an archived type. */
  onEdit?: () => void
}

type TypeItemProps = Pick<TypeActionsProps, 'type' | 'ids' | 'onDone'> & {
  profile: OwnProfile
  isFirst: boolean
}

function TypeItem({ profile, type, isFirst, ids, onDone }: TypeItemProps) {
  const { box, opener, isOpen, open, close } = useFormInPlace<HTMLLIElement>()
  return (
    <li ref={box} className="py-5 first:pt-0">
      {isOpen ? (
        <TypeForm profile={profile} type={type} isFirst={isFirst} onClose={close} />
      ) : (
        <div className="flex flex-col gap-3">
          <TypeText profile={profile} type={type} isShown={isFirst && ids.length > 1} />
          <TypeActions type={type} ids={ids} editButton={opener} onEdit={open} onDone={onDone} />
        </div>
      )}
    </li>
  )
}

function NewType({ profile, isFull }: { profile: OwnProfile; isFull: boolean }) {
  const { box, opener, isOpen, open, close } = useFormInPlace<HTMLDivElement>()
  return (
    <div ref={box} className="border-t border-line pt-5">
      {isOpen ? (
        <>
          <h3 className="mb-4 font-semibold">New visit type</h3>
          <TypeForm profile={profile} onClose={close} />
        </>
      ) : (
        <Button ref={opener} data-add-type variant="secondary" disabled={isFull} onClick={open}>
          <Plus aria-hidden="true" className="size-5" />
          Add a visit type
        </Button>
      )}
      {isFull && (
        <p className="mt-2 text-sm text-muted">
          You’ve reached the limit of {MAX_VISIT_TYPES} visit types.
        </p>
      )}
    </div>
  )
}

/** The ids with one of them moved up or down by one. */
function moved(ids: readonly string[], id: string, by: 1 | -1): string[] {
  const at = ids.indexOf(id)
  const order = [...ids]
  order.splice(at, 1)
  order.splice(at + by, 0, id)
  return order
}

/** Actions on a visit type: edit, move, archive, or restore. */
function TypeActions({ type, ids, onDone, editButton, onEdit }: TypeActionsProps) {
  const updateProfile = useUpdateOwnProfile()
  const done = (words: string, id: string | null) => async (answer: OwnProfile) => {
    await updateProfile(answer)
    void showToast(words)
    onDone(id)
  }
  const order = trpc.profiles.orderVisitTypes.useMutation({
    onSuccess: done(`${type.name} is moved.`, type.id),
  })
  const archive = trpc.profiles.archiveVisitType.useMutation({
    onSuccess: done(
      type.isArchived ? `${type.name} is offered again.` : `${type.name} is archived.`,
      type.isArchived ? type.id : null,
    ),
  })
  const error = order.error ?? archive.error
  const at = ids.indexOf(type.id)
  const move = (by: 1 | -1) => order.mutate({ typeIds: moved(ids, type.id, by) })
  if (type.isArchived) {
    return (
      <>
        <Button
          variant="quiet"
          isBusy={archive.isPending}
          aria-label={`Offer again: ${type.name}`}
          onClick={() => archive.mutate({ typeId: type.id, isArchived: false })}
        >
          Offer again
        </Button>
        <Failed error={error} />
      </>
    )
  }
  return (
    <>
      <div className="-ml-4 flex flex-wrap gap-x-1">
        <Button ref={editButton} variant="quiet" aria-label={`Edit ${type.name}`} onClick={onEdit}>
          Edit
        </Button>
        {at > 0 && (
          <Button
            variant="quiet"
            isBusy={order.isPending}
            aria-label={`Move up: ${type.name}`}
            onClick={() => move(-1)}
          >
            Move up
          </Button>
        )}
        {at < ids.length - 1 && (
          <Button
            variant="quiet"
            isBusy={order.isPending}
            aria-label={`Move down: ${type.name}`}
            onClick={() => move(1)}
          >
            Move down
          </Button>
        )}
        {ids.length > 1 && (
          <Button
            variant="quiet"
            isBusy={archive.isPending}
            aria-label={`Archive ${type.name}`}
            onClick={() => archive.mutate({ typeId: type.id, isArchived: true })}
          >
            Archive
          </Button>
        )}
      </div>
      <Failed error={error} />
    </>
  )
}

function Failed({ error }: { error: unknown }) {
  if (error === null) return null
  return (
    <Notice kind="danger" role="alert" title="Not changed">
      <p>{describeFailure(error).sentence}</p>
    </Notice>
  )
}

const ALL_PLACES = ''

const typeModeLabels: Record<VisitTypeMode, string> = {
  both: 'Any way you see patients',
  in_person: 'In person only',
  video: 'By video only',
}

type TypeFormProps = {
  profile: OwnProfile
  /** The type to edit; a new one if omitted. */
  type?: OwnVisitType
  /** The first type is offered at every location. */
  isFirst?: boolean
  onClose: () => void
}

/** Name, length, fees, mode and location of a visit type. */
function TypeForm({ profile, type, isFirst = false, onClose }: TypeFormProps) {
  const { client } = trpc.useUtils()
  const updateProfile = useUpdateOwnProfile()
  const { places, currency } = profile
  const mode: VisitTypeMode = type?.mode ?? 'both'
  const form = useForm({
    blank: {
      name: type?.name ?? '',
      minutes: String(type?.minutes ?? profile.consultation_minutes),
      amount: type === undefined ? '' : formatMajorUnits(type.amount),
      follow_amount: type === undefined ? '' : formatMajorUnits(type.follow_amount),
      mode,
      placeId: type?.placeId ?? ALL_PLACES,
    },
    schema: SaveVisitTypeInput,
    toInput: (values) => ({
      ...values,
      ...(type !== undefined && { typeId: type.id }),
      minutes: parseWhole(values.minutes),
      amount: parseMinorUnits(values.amount),
      follow_amount: parseMinorUnits(values.follow_amount),
      placeId: values.placeId === ALL_PLACES ? null : values.placeId,
    }),
    send: (input) => client.profiles.saveVisitType.mutate(input),
    codeFields: { visit_type_unfit: 'placeId' },
    onSent: async (answer) => {
      onClose()
      await updateProfile(answer)
      void showToast(type === undefined ? 'The visit type is added.' : 'The visit type is saved.')
    },
  })
  const unit = currency === 'GBP' ? 'pounds' : 'dollars'
  const number = { autoComplete: 'off', className: 'tabular max-w-44' } as const
  return (
    <FormFrame
      form={form}
      label={type === undefined ? 'New visit type' : type.name}
      failureTitle="Not saved"
    >
      <TextInput
        label="Name"
        hint="What patients choose from, such as “New patient check-up”."
        autoComplete="off"
        {...form.text('name')}
      />
      <TextInput
        label="Length, in minutes"
        hint="Free times are as long as your shortest type. A longer one takes several in a row."
        inputMode="numeric"
        {...number}
        {...form.text('minutes')}
      />
      <div className="grid items-end gap-6 sm:grid-cols-2">
        <TextInput
          label={`New patient, in ${unit}`}
          inputMode="decimal"
          {...number}
          {...form.text('amount')}
        />
        <TextInput
          label={`Follow-up, in ${unit}`}
          inputMode="decimal"
          {...number}
          {...form.text('follow_amount')}
        />
      </div>
      <Select
        id={`${form.id}-mode`}
        label="How patients can have it"
        error={form.errors['mode']}
        className="max-w-sm"
        value={form.values.mode}
        onChange={({ target }) => form.set('mode', VisitTypeMode.parse(target.value))}
      >
        {VisitTypeMode.options.toReversed().map((one) => (
          <option key={one} value={one}>
            {typeModeLabels[one]}
          </option>
        ))}
      </Select>
      {places.length > 1 && !isFirst && (
        <Select
          id={`${form.id}-placeId`}
          label="Where you offer it"
          error={form.errors['placeId']}
          className="max-w-sm"
          value={form.values.placeId}
          onChange={({ target }) => form.set('placeId', target.value)}
        >
          <option value={ALL_PLACES}>At every place</option>
          {places.map((place) => (
            <option key={place.id} value={place.id}>
              Only at {place.hospital_name}
            </option>
          ))}
        </Select>
      )}
      <FormButtons
        send={type === undefined ? 'Add visit type' : 'Save visit type'}
        isBusy={form.isBusy}
        onCancel={onClose}
      />
    </FormFrame>
  )
}
