import { expect } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { type Backend, test } from '#tests/harness/spa/spa-bridge.ts'
import { openSignedIn } from '#tests/harness/spa/spa-page.tsx'
import { pictureFile } from '#tests/spa/staff.ts'

const section = (name: string) => page.getByRole('region', { name, exact: true })
const field = (name: string) => page.getByRole('textbox', { name, exact: true })
const button = (name: string) => page.getByRole('button', { name, exact: true })

/** A Verified GP on the page where they edit their profile. */
async function openProfile(testApp: Backend) {
  const { no, email } = await testApp.addProvider()
  const account = await testApp.addAccount({ kind: 'provider', email, provider_no: no })
  return openSignedIn(account, '/doctor/profile')
}

test('a section is edited where it stands, and gives focus back to its pencil', async ({
  testApp,
}) => {
  await openProfile(testApp)
  const about = section('About you')
  await button('Edit about you').click()
  await expect.element(field('How you work')).toHaveFocus()
  await field('How you work').fill('Too short')
  await about.getByRole('button', { name: 'Save', exact: true }).click()
  await expect
    .element(field('How you work'))
    .toHaveAccessibleDescription(/Write at least 40 characters about how you work\./)
  const words = 'I listen first, then we decide together what to do next.'
  await field('How you work').fill(words)
  await about.getByRole('button', { name: 'Save', exact: true }).click()
  await expect.element(about.getByText(words)).toBeVisible()
  await expect.element(button('Edit about you')).toHaveFocus()
})

test('societies are added one to a line, and a blank line is none', async ({ testApp }) => {
  await openProfile(testApp)
  const about = section('About you')
  await button('Edit about you').click()
  await field('How you work').fill('I listen first, then we decide together what to do next.')
  await field('Society 1').fill('British Medical Association')
  await button('Add another society').click()
  await about.getByRole('button', { name: 'Save', exact: true }).click()
  await expect.element(about.getByText('British Medical Association')).toBeVisible()
  await expect.element(about.getByRole('listitem').nth(2)).not.toBeInTheDocument()
})

test('what was typed is gone after Cancel, and the profile is as it was', async ({ testApp }) => {
  await openProfile(testApp)
  await button('Edit fees and visits').click()
  await field('First visit, in pounds').fill('999')
  await button('Cancel').click()
  await expect.element(section('Fees and visits').getByText('£60', { exact: true })).toBeVisible()
})

test('fees are typed in pounds, and a wrong one keeps what was typed', async ({ testApp }) => {
  await openProfile(testApp)
  await button('Edit fees and visits').click()
  await field('First visit, in pounds').fill('sixty')
  await button('Save').click()
  await expect.element(field('First visit, in pounds')).toHaveAccessibleDescription(/Enter a fee\./)
  await expect.element(field('First visit, in pounds')).toHaveValue('sixty')
  await field('First visit, in pounds').fill('82.50')
  await button('Save').click()
  await expect.element(section('Fees and visits').getByText('£82.50')).toBeVisible()
})

test('another last name is asked about before it hides the profile', async ({ testApp }) => {
  await openProfile(testApp)
  await button('Edit name and registration').click()
  await field('Last name').fill('Okafor-Bell')
  await button('Save').click()
  const question = page.getByRole('dialog', { name: 'Hide your profile until it is checked?' })
  await expect.element(question).toBeVisible()
  await question.getByRole('button', { name: 'Go back' }).click()
  await expect.element(field('Last name')).toHaveValue('Okafor-Bell')
  await button('Save').click()
  await question.getByRole('button', { name: 'Save and hide until checked' }).click()
  await expect
    .element(section('Name and registration').getByText('Dr Amara Okafor-Bell'))
    .toBeVisible()
  await expect.element(page.getByText('Unverified')).toBeVisible()
  await expect
    .element(page.getByRole('link', { name: 'To do: Have your registration checked' }))
    .toHaveAttribute('href', '/provider-verify')
})

test('a place is added, put first and removed after a question', async ({ testApp }) => {
  await testApp.addPlaces()
  await openProfile(testApp)
  const places = section('Places')
  await button('Add a place').click()
  await expect.element(field('Name of the practice')).toHaveFocus()
  await field('Name of the practice').fill('Canal Clinic')
  await field('Street address').fill('3 Lock Lane')
  await field('Postcode').fill('ZZ9 9ZZ')
  await button('Add place').click()
  await expect
    .element(field('Postcode'))
    .toHaveAccessibleDescription(/We can’t find the postcode “ZZ9 9ZZ”/)
  await field('Postcode').fill('SE1 6ET')
  await button('Add place').click()
  await expect.element(places.getByRole('heading', { name: 'Canal Clinic' })).toBeVisible()
  await button('Make main place: Canal Clinic').click()
  await expect
    .element(places.getByRole('heading', { level: 3 }).first())
    .toHaveTextContent('Canal Clinic')
  await expect.element(button('Edit Canal Clinic')).toHaveFocus()
  await button('Remove Borough Practice').click()
  await button('Remove the place').click()
  await expect
    .element(places.getByRole('heading', { name: 'Borough Practice' }))
    .not.toBeInTheDocument()
  await expect.element(button('Remove Canal Clinic')).not.toBeInTheDocument()
  await expect.element(places.getByRole('heading', { name: 'Places' })).toHaveFocus()
})

test('what is typed for one place stays while the forms of others are opened and saved', async ({
  testApp,
}) => {
  await testApp.addPlaces()
  await openProfile(testApp)
  const phone = page.getByRole('textbox', { name: /^Practice phone/ })
  const form = (name: string) => section('Places').getByRole('form', { name, exact: true })
  await button('Edit Borough Practice').click()
  await phone.fill('020 7946 0999')
  await button('Add a place').click()
  const added = form('Another place')
  await expect.element(added.getByRole('textbox', { name: 'Name of the practice' })).toHaveFocus()
  await added.getByRole('textbox', { name: 'Name of the practice' }).fill('Canal Clinic')
  await added.getByRole('textbox', { name: 'Street address' }).fill('3 Lock Lane')
  await added.getByRole('textbox', { name: 'Postcode' }).fill('SE1 6ET')
  await added.getByRole('button', { name: 'Add place' }).click()
  await expect.element(section('Places').getByText('Canal Clinic')).toBeVisible()
  await button('Edit Canal Clinic').click()
  await form('Canal Clinic').getByRole('button', { name: 'Cancel' }).click()
  await expect.element(button('Edit Canal Clinic')).toHaveFocus()
  await expect.element(phone).toHaveValue('020 7946 0999')
  await button('Save place').click()
  await expect.element(section('Places').getByText('020 7946 0999')).toBeVisible()
})

test('the preview is what patients see, with a way back', async ({ testApp }) => {
  await openProfile(testApp)
  await page.getByRole('link', { name: 'See it as patients do' }).click()
  await expect.element(page.getByText('This is how patients see you')).toBeVisible()
  await expect
    .element(page.getByRole('heading', { name: 'Dr Amara Okafor', level: 1 }))
    .toBeVisible()
  await page.getByRole('link', { name: 'Back to editing' }).click()
  await expect.element(section('Places')).toBeVisible()
})

test('the preview of somebody who waits to be verified makes up no day of checking', async ({
  testApp,
}) => {
  const { no, email } = await testApp.addProvider({
    verification_status: 'Unverified',
    verified_at: null,
  })
  const account = await testApp.addAccount({ kind: 'provider', email, provider_no: no })
  await openSignedIn(account, '/doctor/profile?view=preview')
  await expect.element(page.getByText(/^GMC \d{7} · not checked yet$/)).toBeVisible()
})

test('a photo that is added completes its step', async ({ testApp }) => {
  await openProfile(testApp)
  await expect.element(page.getByRole('link', { name: /^To do: Add a photo/ })).toBeVisible()
  await userEvent.upload(page.getByLabelText('Add a photo'), await pictureFile('#446688'))
  await button('Save photo').click()
  await expect.element(page.getByText('Your photo is saved.')).toBeVisible()
  await expect
    .element(page.getByRole('link', { name: /^To do: Add a photo/ }))
    .not.toBeInTheDocument()
})

test('the time zone of a place is changed after what changes has been listed', async ({
  testApp,
}) => {
  const place = {
    name: 'Dam Clinic',
    postcode: '86040',
    time_zone: 'America/Denver',
    latitude: 36.915,
    longitude: -111.456,
  }
  const { no, email } = await testApp.addProvider({
    region: 'usa',
    currency: 'USD',
    professional_body: 'NPI',
    place,
  })
  const account = await testApp.addAccount({ kind: 'provider', email, provider_no: no })
  await openSignedIn(account, '/doctor/profile')
  const places = section('Places')
  await expect.element(places.getByText('Mountain Time (Denver)', { exact: true })).toBeVisible()
  await expect.element(places.getByText(/ZIP code 86040 has .*Phoenix/)).toBeVisible()
  await button('Change the time zone of Dam Clinic').click()
  const dialog = page.getByRole('dialog', { name: 'Time zone of Dam Clinic' })
  await expect
    .element(dialog.getByLabelText('Time zone', { exact: true }))
    .toHaveValue('America/Phoenix')
  await expect.element(dialog.getByText('No booked visit reads differently.')).toBeVisible()
  await dialog.getByLabelText('Time zone', { exact: true }).selectOptions('America/Denver')
  await expect.element(dialog.getByText(/Choose another one/)).toBeVisible()
  await dialog.getByLabelText('Time zone', { exact: true }).selectOptions('America/Phoenix')
  await dialog.getByRole('button', { name: 'Change time zone' }).click()
  await expect
    .element(places.getByText('Mountain Standard Time (Phoenix)', { exact: true }))
    .toBeVisible()
  await expect.element(places.getByText(/ZIP code 86040/)).not.toBeInTheDocument()
})

test('in the UK the time zone is shown, and there is no other one to choose', async ({
  testApp,
}) => {
  await openProfile(testApp)
  await expect.element(section('Places').getByText('London time', { exact: true })).toBeVisible()
  await expect.element(page.getByRole('button', { name: /time zone/ })).not.toBeInTheDocument()
})
