import { Link } from '@tanstack/react-router'
import { CircleAlert } from 'lucide-react'
import { type ComponentProps, type ReactNode, useEffect, useRef } from 'react'
import * as z from 'zod/mini'
import { focusPageHeading } from '#app/lib/browser-hooks.ts'
import { cx } from '#app/lib/cx.ts'
import { useForm } from '#app/lib/forms/use-form.ts'
import { Button, LinkTabs, linkTab, TextLink } from '#app/ui/button.tsx'
import { TextInput } from '#app/ui/fields.tsx'
import { Checkbox, PasswordInput } from '#app/ui/form-controls.tsx'
import { FormFrame } from '#app/ui/form-frame.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { Container, PageTitle } from '#app/ui/page.tsx'
import type { Me } from '#contract/auth.ts'
import { PASSWORD_MIN, PASSWORD_RECOMMENDED } from '#contract/auth-passwords.ts'
import { SecondFactor } from '#contract/auth-second-factor.ts'
import type { AuthSearch } from './auth-search.ts'

type AuthPageProps = {
  title: string
  lead?: ReactNode
  children: ReactNode
  /** A narrower column, for a form with few fields. */
  isNarrow?: boolean
  /** Replaces a form: the heading takes the focus that was in the form. */
  isAnswer?: boolean
}

type HeadingProps = { title: string; isAnswer: boolean; className: string }

/** Submit buttons of these pages: full width on phones, within reach of the thumb. */
export const submitClass = 'max-sm:w-full'

/** A card from 480 pixels; on phones, no border or background. */
const cardClass =
  'flex flex-col gap-8 sm:rounded-card sm:border sm:border-line sm:bg-surface sm:p-8'

function Heading({ title, isAnswer, className }: HeadingProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (isAnswer) heading.current?.focus()
  }, [isAnswer])
  return (
    <h1 ref={heading} tabIndex={-1} className={cx('font-semibold', className)}>
      {title}
    </h1>
  )
}

/** One narrow column with one thing to do: signing in, registering, a new password. */
export function AuthPage(props: AuthPageProps) {
  const { title, lead, children, isNarrow = false, isAnswer = false } = props
  return (
    <Container className="pt-8 sm:pt-12">
      <PageTitle title={title} />
      <div className={cx('mx-auto', isNarrow ? 'max-w-120' : 'max-w-160')}>
        <Heading title={title} isAnswer={isAnswer} className="text-3xl" />
        {lead && <p className="mt-2 text-lg text-muted">{lead}</p>}
        <div className={cx(cardClass, 'mt-6 sm:mt-8')}>{children}</div>
      </div>
    </Container>
  )
}

/** The same column without header and footer, inside the bare layout. */
export function BarePage({ title, lead, children, isAnswer = false }: AuthPageProps) {
  return (
    <div className="sm:rounded-card sm:border sm:border-line sm:bg-surface sm:p-8">
      <PageTitle title={title} />
      <Heading title={title} isAnswer={isAnswer} className="text-2xl" />
      {lead && <p className="mt-2 text-lg text-muted">{lead}</p>}
      <div className="mt-6 flex flex-col gap-6">{children}</div>
    </div>
  )
}

/** The visible switch between the patient's and the provider's form. */
export function AccountTypeSwitch({ search }: { search: AuthSearch }) {
  const { as: _as, ...rest } = search
  return (
    <LinkTabs label="Who you are" className="flex-wrap">
      <Link to="/register" search={rest} {...linkTab}>
        I am a patient
      </Link>
      <Link to="/register" search={{ ...rest, as: 'provider' }} {...linkTab}>
        I am a provider
      </Link>
    </LinkTabs>
  )
}

/** Warns that browsers drop our cookies when the page came over plain HTTP from another machine. */
export function InsecureNotice() {
  if (isSecureContext) return null
  return (
    <Notice kind="warn" title="This connection isn’t encrypted">
      <p>
        Your browser can’t keep you signed in here. Open the site with https, or on the computer it
        runs on.
      </p>
    </Notice>
  )
}

/** Input for a new password, with the only rule there is. */
export function NewPasswordInput(props: ComponentProps<typeof PasswordInput>) {
  return (
    <PasswordInput
      autoComplete="new-password"
      hint={`At least ${PASSWORD_MIN} characters; ${PASSWORD_RECOMMENDED} or more are better. Three or four words make a good one.`}
      {...props}
    />
  )
}

type TermsBoxProps = {
  id: string
  isChecked: boolean
  error: string | undefined
  onChange: (isChecked: boolean) => void
}

/** Checkbox for consent to the terms, never preselected. */
export function TermsBox({ id, isChecked, error, onChange }: TermsBoxProps) {
  return (
    <div>
      {error && (
        <p
          id={`${id}-error`}
          className="mb-1.5 flex items-start gap-1.5 text-sm font-medium text-danger"
        >
          <CircleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
          {error}
        </p>
      )}
      <Checkbox
        id={id}
        checked={isChecked}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? `${id}-error` : undefined}
        onChange={({ target }) => onChange(target.checked)}
        label={
          <>
            I agree to the{' '}
            <TextLink to="/terms-of-use" target="_blank" rel="noopener">
              terms of use<span className="sr-only"> (opens in a new tab)</span>
            </TextLink>{' '}
            and have read{' '}
            <TextLink to="/privacy-cookie" target="_blank" rel="noopener">
              the privacy notice<span className="sr-only"> (opens in a new tab)</span>
            </TextLink>
          </>
        }
      />
    </div>
  )
}

type StepButtonsProps = { isBusy: boolean; onBack: () => void }

/** The buttons of a further step of signing in. */
export function StepButtons({ isBusy, onBack }: StepButtonsProps) {
  return (
    <div className="flex flex-wrap gap-3">
      <Button type="submit" size="large" isBusy={isBusy}>
        {isBusy ? 'Signing in' : 'Sign in'}
      </Button>
      <Button
        variant="quiet"
        size="large"
        onClick={() => {
          onBack()
          // The pressed button is gone.
          focusPageHeading()
        }}
      >
        Back
      </Button>
    </div>
  )
}

const SecondFactorInput = z.strictObject({ second_factor: SecondFactor })

type SecondFactorFormProps = {
  /** Signs in with the input of the first step and the code. */
  signIn: (code: { second_factor: string }) => Promise<{ me: Me }>
  onArrive: (me: Me) => Promise<void>
  onBack: () => void
}

/** Second step of signing in; the password from the first step is sent again with it. */
export function SecondFactorForm({ signIn, onArrive, onBack }: SecondFactorFormProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  // The focused element was removed with the first step.
  useEffect(() => heading.current?.focus(), [])
  const form = useForm({
    blank: { second_factor: '' },
    schema: SecondFactorInput,
    send: signIn,
    onSent: ({ me }) => onArrive(me),
    codeFields: { second_factor_wrong: 'second_factor' },
  })
  return (
    <FormFrame form={form} label="Two-step sign-in" failureTitle="Couldn’t sign you in">
      <h2 ref={heading} tabIndex={-1} className="text-xl font-semibold outline-none">
        Enter the code of your authenticator app
      </h2>
      <TextInput
        label="Code"
        hint="Six digits. Without your phone, use one of your recovery codes."
        inputMode="text"
        autoComplete="one-time-code"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={11}
        className="tabular max-w-52 tracking-widest"
        {...form.text('second_factor')}
      />
      <StepButtons isBusy={form.isBusy} onBack={onBack} />
    </FormFrame>
  )
}
