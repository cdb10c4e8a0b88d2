import * as z from 'zod/mini'
import { AddDeskInput, DESK_MINUTES, DeskKind, EditDeskInput } from '#contract/booking-desk.ts'

/** A text field, whose empty value counts as omitted. */
const optionalText = z.pipe(
  z.string(),
  z.transform((text: string) => (text === '' ? undefined : text)),
)

const minutesError = `Choose between ${DESK_MINUTES.least} and ${DESK_MINUTES.most} minutes.`

/** The fields of date and time, as typed. */
const timeShape = {
  date: z.iso.date({ error: 'date_invalid' }),
  time: z.string().check(z.regex(/^\d{2}:\d{2}/, { error: 'Enter a time.' })),
  minutes: z.pipe(
    z.string().check(z.regex(/^\d{1,3}$/, { error: minutesError })),
    z.pipe(
      z.transform(Number),
      z
        .number()
        .check(
          z.minimum(DESK_MINUTES.least, { error: minutesError }),
          z.maximum(DESK_MINUTES.most, { error: minutesError }),
        ),
    ),
  ),
  placeId: z.string(),
}

const { name, note } = AddDeskInput.shape
const phone = z.pipe(optionalText, AddDeskInput.shape.phone)
const email = z.pipe(optionalText, AddDeskInput.shape.email)

export const DeskForm = z
  .object({
    kind: DeskKind,
    name,
    phone,
    ...timeShape,
    note,
    email,
  })
  .check(
    z.refine(({ kind, phone: number }) => kind !== 'phone' || number !== undefined, {
      error: 'Enter the patient’s phone number.',
      path: ['phone'],
    }),
  )

export const DeskMoveForm = z.object(timeShape)

export const DeskDetailsForm = z.object({
  name,
  phone,
  note: EditDeskInput.shape.note,
})
