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
import { ErrorCode } from '#contract/errors.ts'
import { sentenceFor } from '#contract/sentences.ts'
import { afterPress } from './after-press.ts'
import { describeFailure, type Failure } from './errors.ts'

/** Messages by the path of the field they belong to: "email", "qualifications.0". */
export type FieldErrors = Readonly<Record<string, string>>

type Typing = { target: { value: string } }

type FormOptions<Values, Input, Answer> = {
  /** Initial values, in the order of the screen: the list of errors has the same. */
  blank: Values
  /** The same schema the server checks with, so that both say the same. */
  schema: z.core.$ZodType<Input>
  /** What is typed, in the shape of the schema; the values themselves when left out. */
  toInput?: (values: Values) => unknown
  send: (input: Input) => Promise<Answer>
  /** What to do then; or what is wrong after all, such as a code that is not the right one. */
  onSent?: (answer: Answer) => void | FieldErrors | Promise<void | FieldErrors>
  /** Refusals that are about one field, by their code: shown beside it. */
  codeFields?: Partial<Record<ErrorCode, string>>
}

/** Some rules of the contract answer with a code, whose sentence is in the contract as well. */
function inWords(message: string): string {
  const code = ErrorCode.safeParse(message)
  return code.success ? sentenceFor(code.data) : message
}

type FoundError = { path: string; message: string; isServers: boolean }

/** The leaves of the library's tree of errors, by path, without those that belong to no field. */
function leavesOf(tree: object, above = ''): FoundError[] {
  return Object.entries(tree).flatMap(([key, node]: [string, Partial<FieldError> | undefined]) => {
    const path = above + key
    if (node === undefined || path === 'root') return []
    return typeof node.message === 'string'
      ? [{ path, message: inWords(node.message), isServers: node.type === 'server' }]
      : leavesOf(node, `${path}.`)
  })
}

const topOf = (path: string) => path.split('.')[0] ?? path

/** Text fields of a form, and what each of them needs. */
type TextPath<Values extends FieldValues> = FieldPathByValue<Values, string>

export type Form<Values extends FieldValues> = Pick<UseFormReturn<Values>, 'reset'> & {
  id: string
  values: Values
  errors: FieldErrors
  /** Counts attempts to send, so that what is wrong takes focus again each time. */
  attempts: number
  /** The last attempt was refused, here or by the server. */
  isRefused: boolean
  /** What the server said to the last attempt. */
  failure: Failure | null
  /** It belongs to no field. */
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
  /** Sets what is no text field. */
  set: <Name extends Path<Values>>(name: Name, value: PathValue<Values, Name>) => void
  /** Checks a field that is left. */
  leave: (path: string) => void
  submit: () => void
}

/**
 * react-hook-form with the conventions of this product: zod schemas of the contract, the server's
 * refusals beside their fields, and when errors come and go. A field is checked when it is left with
 * something in it, a field with an error at every change, everything on sending. Nothing typed is
 * lost by a failure. Ids of fields are `<id>-<path>`.
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
    // What the schema reads may have another shape than what is typed; its paths are those of fields.
    resolver: (values, ...rest) =>
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above
      zodResolver(schema as z.core.$ZodType<Input, Values>)(
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above
        toInput === undefined ? values : (toInput(values) as Values),
        ...rest,
      ),
    // Below it is said what is checked when.
    mode: 'onSubmit',
    reValidateMode: 'onSubmit',
    // The list of errors above the fields takes focus.
    shouldFocusError: false,
  })
  const values = useWatch({ control: form.control })
  const { isSubmitting, isSubmitSuccessful, submitCount, errors } = form.formState
  const order = Object.keys(blank)
  const found = leavesOf(errors).toSorted(
    (a, b) => order.indexOf(topOf(a.path)) - order.indexOf(topOf(b.path)),
  )

  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- found in errors of this form
  const check = (paths: string[]) => void form.trigger(paths as Path<Values>[])
  /** Old errors go as soon as they may; new ones wait until the field is left. */
  const changed = (name: string) => {
    const wrong = found.filter((one) => !one.isServers || topOf(one.path) === topOf(name))
    // Some fields say what was typed only as they are left, while a button is pressed.
    if (wrong.length > 0) afterPress(() => check(wrong.map(({ path }) => path)))
  }
  const leave = (path: string) => {
    afterPress(() => {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a path of this form
      const { error } = form.getFieldState(path as Path<Values>)
      // What the server refused stays refused until it is changed.
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
  const submitValid = form.handleSubmit(async (input) => {
    try {
      const answer = await send(input)
      const wrong = await onSent?.(answer)
      if (wrong) refuse(wrong)
    } catch (error) {
      fail(error)
    }
  })

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
      form.setValue(name, value)
      changed(name)
    },
    leave,
    submit: () => {
      if (isSubmitting) return
      setFailure(null)
      void submitValid()
    },
  }
}
