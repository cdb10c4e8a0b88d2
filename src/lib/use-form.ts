import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import * as z from 'zod/mini'
import { ErrorCode } from '#contract/errors.ts'
import { sentenceFor } from '#contract/sentences.ts'
import { afterPress } from './after-press.ts'
import { describeFailure, type Failure } from './errors.ts'

/** Messages by the path of the field they belong to: "email", "qualifications.0". */
export type FieldErrors = Readonly<Record<string, string>>

type FormOptions<Values, Input, Answer> = {
  blank: Values
  /** The same schema the server checks with, so that both say the same. */
  schema: z.core.$ZodType<Input>
  /** What is typed, in the shape of the schema; the values themselves when left out. */
  toInput?: (values: Values) => unknown
  send: (input: Input) => Promise<Answer>
  /** What to do then; or what is wrong after all, such as a code that is not the right one. */
  onSent?: (answer: Answer) => void | FieldErrors | Promise<void | FieldErrors>
  /** Refusals that are about one field, by their code: said beside it. */
  codeFields?: Partial<Record<ErrorCode, string>>
  /** The form stays after it was sent, and is blank again. */
  clearsOnSuccess?: boolean
  /** What fields show then, where it is kept otherwise than it was typed: "ann" as "Ann". */
  shownThen?: (answer: Answer) => Partial<Values>
}

/** Some rules of the contract answer with a code, whose sentence stands elsewhere. */
function inWords(message: string): string {
  const code = ErrorCode.safeParse(message)
  return code.success ? sentenceFor(code.data) : message
}

function errorsOf(schema: z.core.$ZodType, input: unknown): FieldErrors {
  const errors: Record<string, string> = {}
  const { error } = z.safeParse(schema, input)
  for (const issue of error?.issues ?? []) errors[issue.path.join('.')] ??= inWords(issue.message)
  return errors
}

/** In the order of the values, which is that of the screen, whatever the order of the schema. */
function inOrder(errors: FieldErrors, values: object): FieldErrors {
  const names = Object.keys(values)
  const rank = (path: string) => Math.max(...path.split('.').map((part) => names.indexOf(part)))
  return Object.fromEntries(Object.entries(errors).toSorted(([a], [b]) => rank(a) - rank(b)))
}

function without(errors: FieldErrors, path: string): FieldErrors {
  return Object.fromEntries(Object.entries(errors).filter(([key]) => key !== path))
}

export type Form<Values> = {
  values: Values
  errors: FieldErrors
  /** Counts refused attempts, so that the summary takes focus again each time. */
  refusals: number
  /** What went wrong with sending, when it belongs to no field. */
  failure: Failure | null
  isBusy: boolean
  change(part: Partial<Values>): void
  leave(path: string): void
  submit(): void
}

/**
 * Values, errors and sending of one form. A field is checked when it is left with something in it, a
 * field with an error at every change, everything on sending. Nothing typed is lost by a failure.
 */
export function useForm<Values extends object, Input, Answer>(
  options: FormOptions<Values, Input, Answer>,
): Form<Values> {
  const { blank, schema, toInput = (typed: Values) => typed, send, onSent } = options
  const { codeFields = {}, clearsOnSuccess = false, shownThen } = options
  const [values, setValues] = useState(blank)
  const [errors, setErrors] = useState<FieldErrors>({})
  const [refusals, setRefusals] = useState(0)

  const refuse = (found: FieldErrors) => {
    setErrors(found)
    setRefusals((count) => count + 1)
  }
  const sending = useMutation({
    mutationFn: () => send(z.parse(schema, toInput(values))),
    onSuccess: async (answer) => {
      const found = await onSent?.(answer)
      if (found) refuse(found)
      else if (clearsOnSuccess) setValues(blank)
      else if (shownThen) setValues((now) => ({ ...now, ...shownThen(answer) }))
    },
    onError: (error) => {
      const { code, sentence, fields } = describeFailure(error)
      const path = Object.entries(codeFields).find(([known]) => known === code)?.[1]
      refuse(path === undefined ? fields : { ...fields, [path]: sentence })
    },
  })

  return {
    values,
    errors: inOrder(errors, blank),
    refusals,
    failure: sending.error ? describeFailure(sending.error) : null,
    isBusy: sending.isPending,
    change(part) {
      const next = { ...values, ...part }
      setValues(next)
      if (Object.keys(errors).length === 0) return
      const found = errorsOf(schema, toInput(next))
      // Old errors go as soon as they may; new ones wait until the field is left.
      setErrors(Object.fromEntries(Object.entries(found).filter(([path]) => path in errors)))
    },
    leave(path) {
      const found = errorsOf(schema, toInput(values))[path]
      afterPress(() =>
        setErrors((now) => (found === undefined ? without(now, path) : { ...now, [path]: found })),
      )
    },
    submit() {
      if (sending.isPending) return
      const found = errorsOf(schema, toInput(values))
      setErrors(found)
      sending.reset()
      if (Object.keys(found).length === 0) sending.mutate()
      else refuse(found)
    },
  }
}

type TextKey<Values> = {
  [Key in keyof Values]: Values[Key] extends string ? Key : never
}[keyof Values] &
  string

type Typing = { target: { value: string } }

/**
 * Makes what a text field or select of a form needs: `text('email')`. Ids are `<id>-<path>`. `path`
 * is where the schema has it, when that is not the name of the value.
 */
export function textFields<Values extends object>(form: Form<Values>, id: string) {
  return (name: TextKey<Values>, path: string = name) => ({
    id: `${id}-${path}`,
    name,
    value: String(form.values[name]),
    error: form.errors[path],
    onChange: ({ target }: Typing) => {
      // One known key with a text, which the compiler cannot follow through a computed name.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      form.change({ [name]: target.value } as Partial<Values>)
    },
    onBlur: ({ target }: Typing) => {
      if (target.value !== '') form.leave(path)
    },
  })
}
