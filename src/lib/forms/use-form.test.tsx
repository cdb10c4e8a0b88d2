import { hydrateRoot } from 'react-dom/client'
import { renderToString } from 'react-dom/server'
import { expect, onTestFinished, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import * as z from 'zod/mini'
import { Button } from '#app/ui/button.tsx'
import { Select, TextInput } from '#app/ui/fields.tsx'
import { FormFrame } from '#app/ui/form-frame.tsx'
import { registerEarlyInput } from './early-input.ts'
import { useForm } from './use-form.ts'

/** A refusal as tRPC's client throws it. */
function refusal(appCode: string, issues: { path: string; message: string }[] = []): Error {
  const data = { appCode, details: {}, issues, requestId: 'r1' }
  return Object.assign(new Error('That password is not right.'), { data })
}

const Names = z.object({
  name: z.string().check(z.minLength(1, { error: 'Enter a name.' })),
  word: z.string().check(z.minLength(3, { error: 'Use at least 3 letters.' })),
})

function NamesForm({ send }: { send: () => Promise<unknown> }) {
  const form = useForm({
    blank: { name: '', word: '' },
    schema: Names,
    send,
    codeFields: { password_wrong: 'word' },
  })
  return (
    <FormFrame form={form} label="Names" failureTitle="Not sent">
      <TextInput label="Name" {...form.text('name')} />
      <TextInput label="Word" {...form.text('word')} />
      <Button type="submit">Send</Button>
    </FormFrame>
  )
}

const field = (name: string) => page.getByRole('textbox', { name })
const alerts = () =>
  page
    .getByRole('alert')
    .elements()
    .map((alert) => alert.textContent)

async function fillIn(): Promise<void> {
  await field('Name').fill('Ann')
  await field('Word').fill('open')
}

const ways = {
  Enter: () => userEvent.keyboard('{Enter}'),
  'a click': () => page.getByRole('button', { name: 'Send' }).click(),
}

for (const [way, press] of Object.entries(ways)) {
  test(`with ${way} what the server refuses is said once and stays until its field is changed`, async () => {
    await render(<NamesForm send={() => Promise.reject(refusal('password_wrong'))} />)
    await fillIn()
    await press()
    await expect.element(page.getByRole('alert')).toHaveFocus()
    // The field lost focus to the error summary; validating it again would clear its error.
    await field('Name').click()
    await field('Name').fill('Anna')
    expect(alerts()).toEqual(['There is a problemThat password is not right.'])
    await expect.element(field('Word')).toHaveAccessibleDescription('That password is not right.')

    await field('Word').fill('opens')
    await expect.element(field('Word')).not.toHaveAttribute('aria-invalid')
    await expect.element(field('Word')).toHaveFocus()
    expect(alerts()).toEqual([])
  })
}

test('a refusal about something that is not on the form is a failure of the whole', async () => {
  const issues = [{ path: 'elapsedMs', message: 'Invalid input' }]
  await render(<NamesForm send={() => Promise.reject(refusal('invalid_input', issues))} />)
  await fillIn()
  await userEvent.keyboard('{Enter}')
  await expect
    .element(page.getByRole('alert'))
    .toHaveTextContent('Not sentThat password is not right.')
  await expect.element(field('Name')).toHaveValue('Ann')
})

test('old errors go while typing, new ones wait until the field is left', async () => {
  await render(<NamesForm send={() => Promise.resolve()} />)
  await field('Name').fill('Ann')
  await userEvent.keyboard('{Enter}')
  await expect.element(field('Word')).toHaveAccessibleDescription('Use at least 3 letters.')
  await field('Word').fill('open')
  await expect.element(field('Word')).not.toHaveAttribute('aria-invalid')
  await field('Word').fill('op')
  await expect.element(field('Word')).not.toHaveAttribute('aria-invalid')
  await field('Name').click()
  await expect.element(field('Word')).toHaveAccessibleDescription('Use at least 3 letters.')
})

function Early({ send }: { send: (input: unknown) => Promise<unknown> }) {
  const form = useForm({
    blank: { name: 'Bob', colour: 'red' },
    schema: z.object({ name: z.string(), colour: z.string() }),
    send,
  })
  return (
    <FormFrame form={form} label="Early" failureTitle="Not sent">
      <TextInput label="Name" {...form.text('name')} />
      <Select label="Colour" {...form.text('colour')}>
        <option value="red">Red</option>
        <option value="blue">Blue</option>
      </Select>
    </FormFrame>
  )
}

test('what was typed and chosen before hydration is sent', async () => {
  const sent: unknown[] = []
  const early = <Early send={(input) => Promise.resolve(sent.push(input))} />
  const root = document.createElement('div')
  root.innerHTML = renderToString(early)
  document.body.append(root)
  await field('Name').fill('Ann')
  await page.getByLabelText('Colour').selectOptions('blue')
  registerEarlyInput(root)
  const hydrated = hydrateRoot(root, early)
  onTestFinished(() => {
    hydrated.unmount()
    root.remove()
  })
  await field('Name').click()
  await expect.element(field('Name')).toHaveValue('Ann')
  await expect.element(page.getByLabelText('Colour')).toHaveValue('blue')
  await expect
    .poll(async () => {
      await userEvent.keyboard('{Enter}')
      return sent[0]
    })
    .toEqual({ name: 'Ann', colour: 'blue' })
})
