import { zodResolver } from '@hookform/resolvers/zod'
import { type RefCallback, useId, useState } from 'react'
import {
  type DefaultValues,
  type FieldError,
  type FieldPathByValue,
  type FieldValues,
  type Path,
  type PathValue,
  type UseFormReturn,
  useForm as useHookForm,
  useWatch,
} from 'react-hook-form'
import type * as z from 'zod/mini'
import { describeFailure, type Failure } from '#app/lib/errors.ts'
import { afterPress } from '#app/lib/press.ts'
import type { ErrorCode } from '#contract/base/errors.ts'
import { errorMessage, isErrorCode } from '#contract/base/sentences.ts'
import { useReportUnsaved } from './unsaved-forms.ts'

/** Messages by the path of the field they belong to: "email", "qualifications.0". */
export type FieldErrors = Readonly<Record<string, string>>

type Typing = { target: { value: string } }

type FormOptions<Values, Input, Answer> = {
  /** Initial values in display order, which is also the order of the error summary. */
  blank: Values
  /** The schema that the server validates with, so that both report the same errors. */
  schema: z.core.$ZodType<Input>
  /** Maps the values to the schema's input; the values themselves when omitted. */
  toInput?: (values: Values) => unknown
  send: (input: Input) => Promise<Answer>
  /** Called with the response; may return field errors, such as for a wrong code. */
  onSent?: (answer: Answer) => void | FieldErrors | Promise<void | FieldErrors>
  /** Error codes that concern one field, mapped to its path: shown beside it. */
  codeFields?: Partial<Record<ErrorCode, string>>
}

/** Some rules of the contract report an error code, whose sentence is in the contract as well. */
function errorText(message: string): string {
  return isErrorCode(message) ? errorMessage(message) : message
}

type FoundError = { path: string; message: string; isServers: boolean }

/** Flattens the library's error tree to errors by path, without those that belong to no field. */
function flattenErrors(tree: object, above = ''): FoundError[] {
  return Object.entries(tree).flatMap(([key, node]: [string, Partial<FieldError> | undefined]) => {
    const path = above + key
    if (node === undefined || path === 'root') return []
    return typeof node.message === 'string'
      ? [{ path, message: errorText(node.message), isServers: node.type === 'server' }]
      : flattenErrors(node, `${path}.`)
  })
}

const topOf = (path: string) => path.split('.')[0] ?? path

/** Paths of a form's text fields. */
type TextPath<Values extends FieldValues> = FieldPathByValue<Values, string>

export type Form<Values extends FieldValues> = Pick<UseFormReturn<Values>, 'reset'> & {
  id: string
  values: Values
  errors: FieldErrors
  /** Number of submits, so that the errors take focus again each time. */
  attempts: number
  /** True if the last submit was rejected, here or by the server. */
  isRefused: boolean
  /** Failure of the last submit's request. */
  failure: Failure | null
  /** True if the failure belongs to no field. */
  isFailed: boolean
  isBusy: boolean
  /** What a text field or select needs: `{...form.text('email')}`. */
  text: (path: TextPath<Values>) => {
    id: string
    name: string
    value: string
    error: string | undefined
    ref: RefCallback<HTMLElement>
    onChange: (event: Typing) => void
    onBlur: (event: Typing) => void
  }
  /** Sets a value that is not a text field. */
  set: <Name extends Path<Values>>(name: Name, value: PathValue<Values, Name>) => void
  /** Validates a field on blur. */
  leave: (path: string) => void
  submit: () => void
}

/**
 * Wraps react-hook-form with this product's conventions: the contract's zod schemas, server errors beside
 * their fields, and the timing of errors. A field is validated on blur if it is not empty, a field with an
 * error on every change, everything on submit. A failure never loses typed values. Ids of fields are
 * `<id>-<path>`.
 */
export function useForm<Values extends FieldValues, Input, Answer>(
  options: FormOptions<Values, Input, Answer>,
): Form<Values> {
  const { blank, schema, toInput, send, onSent, codeFields = {} } = options
  const id = useId()
  const [failure, setFailure] = useState<Failure | null>(null)
  const form = useHookForm<Values, unknown, Input>({
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- all of them are given
    defaultValues: blank as DefaultValues<Values>,
    // The schema's input may differ in shape from the values, but its paths are field paths.
    resolver: (values, ...rest) =>
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above
      zodResolver(schema as z.core.$ZodType<Input, Values>)(
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above
        toInput === undefined ? values : (toInput(values) as Values),
        ...rest,
      ),
    // Validation is triggered below instead.
    mode: 'onSubmit',
    reValidateMode: 'onSubmit',
    // The error summary above the fields takes focus instead.
    shouldFocusError: false,
  })
  const values = useWatch({ control: form.control })
  const { isSubmitting, isSubmitSuccessful, isDirty, submitCount, errors } = form.formState
  const reportSaving = useReportUnsaved(id, isDirty)
  const order = Object.keys(blank)
  const found = flattenErrors(errors).toSorted(
    (a, b) => order.indexOf(topOf(a.path)) - order.indexOf(topOf(b.path)),
  )

  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- found in errors of this form
  const check = (paths: string[]) => void form.trigger(paths as Path<Values>[])
  /** Revalidates existing errors on change; new errors wait for blur. */
  const changed = (name: string) => {
    const wrong = found.filter((one) => !one.isServers || topOf(one.path) === topOf(name))
    // Some fields report the typed value only on blur, while a button is being pressed.
    if (wrong.length > 0) afterPress(() => check(wrong.map(({ path }) => path)))
  }
  const leave = (path: string) => {
    afterPress(() => {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a path of this form
      const { error } = form.getFieldState(path as Path<Values>)
      // A server error stays until the field changes.
      if (error?.type !== 'server') check([path])
    })
  }
  const refuse = (messages: FieldErrors) => {
    for (const [path, message] of Object.entries(messages)) {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the paths of the contract
      form.setError(path as Path<Values>, { type: 'server', message })
    }
  }
  const fail = (error: unknown) => {
    const now = describeFailure(error)
    const field = Object.entries(codeFields).find(([code]) => code === now.code)?.[1]
    const fields = Object.entries(now.fields).filter(([path]) => order.includes(topOf(path)))
    if (field !== undefined) fields.push([field, now.sentence])
    setFailure(now)
    if (fields.length > 0) refuse(Object.fromEntries(fields))
    else form.setError('root', { type: 'server', message: now.sentence })
  }
  /** What is in the form now is no longer unsaved input. */
  const markSaved = () =>
    form.reset(form.getValues(), {
      keepValues: true,
      keepErrors: true,
      keepSubmitCount: true,
      keepIsSubmitSuccessful: true,
    })
  /** Returns whether it was accepted. */
  const submitValid = async (): Promise<boolean> => {
    let isAccepted = false
    const submitted = form.handleSubmit(async (input) => {
      try {
        const answer = await send(input)
        const wrong = await onSent?.(answer)
        if (wrong) return refuse(wrong)
        markSaved()
        isAccepted = true
      } catch (error) {
        fail(error)
      }
    })
    await submitted()
    return isAccepted
  }

  return {
    id,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- all of them are there from the start
    values: values as Values,
    errors: Object.fromEntries(found.map(({ path, message }) => [path, message])),
    attempts: submitCount,
    isRefused: submitCount > 0 && !isSubmitSuccessful,
    failure,
    isFailed: errors.root !== undefined,
    isBusy: isSubmitting,
    reset: form.reset,
    text: (path) => ({
      ...form.register(path, { onChange: () => changed(path) }),
      id: `${id}-${path}`,
      value: form.getValues(path),
      error: found.find((one) => one.path === path)?.message,
      onBlur: ({ target }) => {
        if (target.value !== '') leave(path)
      },
    }),
    set: (name, value) => {
      form.setValue(name, value, { shouldDirty: true })
      changed(name)
    },
    leave,
    submit: () => {
      if (isSubmitting) return
      setFailure(null)
      reportSaving(submitValid())
    },
  }
}
