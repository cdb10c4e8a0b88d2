import { expect } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { test } from '#tests/harness/spa/spa-bridge.ts'
import { openPage } from '#tests/harness/spa/spa-page.tsx'
import { mutateDirectly, openGallery, part, pictureFile } from './staff.ts'

// Follows the specification: what sections 2, 3, 5, 8 and 9 say about the gallery.

const button = (name: string | RegExp) => page.getByRole('button', { name })
const file = () => page.getByLabelText('Add an image')
const alert = (text: string | RegExp) => page.getByRole('alert').getByText(text)

async function upload(color: string): Promise<string> {
  await userEvent.upload(file(), await pictureFile(color))
  await button('Upload Image').click()
  const said = alert(/^Image uploaded successfully: /)
  await expect.element(said).toBeVisible()
  const url = /\/media\/[0-9a-f]{32}\.webp$/.exec(said.element().textContent)?.[0]
  if (url === undefined) throw new Error('There is no address.')
  return url
}

test('2: Gallery (Homepage Image): a Back link', async ({ testApp }) => {
  const { router } = await openGallery(testApp)
  await expect
    .element(page.getByRole('heading', { level: 1, name: 'Homepage Image' }))
    .toBeVisible()
  await page.getByRole('main').getByRole('link', { name: 'Back', exact: true }).click()
  await expect.poll(() => router.state.location.pathname).toBe('/admin-home')
})

test("2: 'No images found.' when empty", async ({ testApp }) => {
  await openGallery(testApp)
  await expect.element(page.getByText('No images found.')).toBeVisible()
})

test("2 and 8: a file upload with an 'Upload Image' button; 'Image uploaded successfully: ' and the URL", async ({
  testApp,
}) => {
  await openGallery(testApp)
  await expect.element(file()).toHaveAttribute('type', 'file')
  const url = await upload('#2266aa')
  // 9, the corrected defect: the URL has no host.
  expect(url).toMatch(/^\/media\//)
  await expect.element(page.getByText('No images found.')).not.toBeInTheDocument()
  const image = part('Gallery').getByRole('listitem').element().querySelector('img')
  expect(image?.getAttribute('src')).toBe(url)
  expect(image?.getAttribute('srcset')).toMatch(
    /^\/media\/\S+ 400w, \/media\/\S+ 800w, \/media\/\S+ 900w$/,
  )
  await expect.poll(() => image?.naturalWidth ?? 0).toBeGreaterThan(0)
})

test("2 and 8: images each with a 'Set as Homepage' button; a preview of the current homepage image; 'Homepage image updated!'", async ({
  testApp,
}) => {
  await openGallery(testApp)
  const first = await upload('#2266aa')
  const second = await upload('#aa6622')
  await expect.poll(() => button(/^Set as Homepage/).elements().length).toBe(2)
  await button(/^Set as Homepage/)
    .nth(1)
    .click()
  await expect.element(alert('Homepage image updated!')).toBeVisible()
  // The pressed button goes away.
  await expect.poll(() => document.activeElement?.textContent).toMatch(/^Homepage image updated!/)
  const shown = () =>
    [...part('Current homepage').element().querySelectorAll('img')].map((one) =>
      one.getAttribute('src'),
    )
  // In the light and the dark theme.
  await expect.poll(shown).toEqual([first, first])
  await expect.poll(() => button(/^Set as Homepage/).elements().length).toBe(1)
  await expect.element(page.getByText('On the homepage')).toBeVisible()
  await button(/^Set as Homepage/).click()
  await expect.poll(shown).toEqual([second, second])
})

test("2, 8 and 9: a colour picker (default white) with a 'Set Color' button; 'Homepage color updated!'", async ({
  testApp,
}) => {
  const { screen } = await openGallery(testApp)
  const picker = page.getByLabelText('Colour', { exact: true })
  await expect.element(picker).toHaveAttribute('type', 'color')
  await expect.element(picker).toHaveValue('#ffffff')
  await picker.fill('#0b6b5b')
  await button('Set Color').click()
  await expect.element(alert('Homepage color updated!')).toBeVisible()
  await screen.unmount()
  await openPage('/home')
  document.documentElement.dataset['theme'] = 'light'
  const hero = page.getByRole('heading', { level: 1 }).element().closest('section')
  const ground = hero?.querySelector('rect') ?? null
  await expect.element(ground).toHaveStyle({ fill: 'rgb(11, 107, 91)' })
  expect(hero?.dataset['ink']).toBe('light')
  delete document.documentElement.dataset['theme']
})

test("2, 5 and 8: Modal Settings with Modal Heading, Modal Description, Modal Image, 'Enable Modal' and 'Save Settings'; 'Modal settings updated!'", async ({
  testApp,
}) => {
  const { screen } = await openGallery(testApp)
  const form = page.getByRole('form', { name: 'Modal Settings' })
  const heading = form.getByRole('textbox', { name: 'Modal Heading' })
  const description = form.getByRole('textbox', { name: 'Modal Description' })
  await expect.element(heading).toBeRequired()
  await expect.element(description).toBeRequired()
  expect(description.element().tagName).toBe('TEXTAREA')
  const image = form.getByLabelText('Modal Image', { exact: true })
  await expect.element(image).toHaveAttribute('type', 'file')
  const enable = form.getByRole('checkbox', { name: 'Enable Modal' })
  await expect.element(enable).not.toBeChecked()
  await form.getByRole('button', { name: 'Save Settings' }).click()
  await expect.element(heading).toHaveAccessibleDescription(/Enter a heading\./)
  await expect.element(description).toHaveAccessibleDescription(/Enter a description\./)
  await heading.fill('Open on Sundays')
  await description.fill('From March.')
  await userEvent.upload(image, await pictureFile('#cc8844'))
  await enable.click()
  await form.getByRole('button', { name: 'Save Settings' }).click()
  await expect.element(alert('Modal settings updated!')).toBeVisible()
  await form.getByRole('button', { name: 'Remove the image' }).click()
  await expect.element(form.getByRole('button', { name: 'Keep it' })).toHaveFocus()
  await form.getByRole('button', { name: 'Keep it' }).click()
  await expect.element(form.getByRole('button', { name: 'Remove the image' })).toHaveFocus()
  // The modal's image is not part of the gallery.
  await expect.element(page.getByText('No images found.')).toBeVisible()
  await screen.unmount()
  const home = await openPage('/home')
  const dialog = page.getByRole('dialog', { name: 'Open on Sundays' })
  await expect.element(dialog.getByText('From March.')).toBeVisible()
  expect(dialog.element().querySelector('img')?.getAttribute('src')).toMatch(/^\/media\//)
  await home.screen.unmount()
  await openPage('/modal')
  await expect.element(page.getByText('It is enabled: the home page shows it.')).toBeVisible()
})

test.for([
  ['an SVG', 'image/svg+xml', '<svg/>', 'Upload a JPEG, PNG or WebP image.'],
  [
    '5 MB and a byte',
    'image/png',
    'x'.repeat(5 * 1_024 * 1_024 + 1),
    'Image must be 5 MB or smaller.',
  ],
  ['no picture at all', 'image/png', 'hello', 'This image is damaged.'],
] as const)(
  '%s is refused before it is sent, with the server’s message',
  async (wrong, { testApp }) => {
    const [, type, content, words] = wrong
    await openGallery(testApp)
    await expect.element(file()).toBeInTheDocument()
    const input = file().element()
    if (!(input instanceof HTMLInputElement)) throw new Error('There is no file field.')
    const carried = new DataTransfer()
    carried.items.add(new File([content], 'wrong', { type }))
    input.files = carried.files
    input.dispatchEvent(new Event('change', { bubbles: true }))
    await expect.element(alert(words)).toBeVisible()
    await expect
      .element(file())
      .toHaveAccessibleDescription(new RegExp(words.replaceAll('.', '\\.')))
    await button('Upload Image').click()
    await expect.element(page.getByText('No images found.')).toBeVisible()
  },
)

test('an image can be dropped and removed, and the form requires one', async ({ testApp }) => {
  await openGallery(testApp)
  await expect.element(file()).toBeInTheDocument()
  await button('Upload Image').click()
  await expect.element(alert('Choose an image first.')).toBeVisible()
  const carried = new DataTransfer()
  carried.items.add(await pictureFile('#116644', 'dropped.png'))
  const box = document.querySelector(`label[aria-hidden][for="${file().element().id}"]`)
  box?.dispatchEvent(
    new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer: carried }),
  )
  await expect.element(page.getByText('dropped.png')).toBeVisible()
  await button('Remove dropped.png').click()
  await expect.element(page.getByText('dropped.png')).not.toBeInTheDocument()
  await expect.element(file()).toHaveFocus()
})

test('the preview shows a colour before it is set, with its text contrast', async ({ testApp }) => {
  await openGallery(testApp)
  const preview = part('Current homepage')
  await expect
    .element(preview.getByText(/^Light: the text reads very well, 16\.6 : 1$/))
    .toBeVisible()
  const typed = page.getByRole('textbox', { name: 'Code or name' })
  await typed.fill('gray')
  await expect.element(preview.getByText(/^Light: the text reads well, 5\.3 : 1$/)).toBeVisible()
  await expect.element(preview.getByText(/^Dark: the text reads very well/)).toBeVisible()
  await typed.fill('a blue one')
  await button('Set Color').click()
  const refusal = 'Choose a colour such as #0b6b5b, or one of the named ones.'
  await expect.element(alert(refusal)).toBeVisible()
  await expect.element(typed).toHaveAccessibleDescription(refusal)
  await expect.element(typed).toHaveValue('a blue one')
})

test('a change can be undone at once, or later in the versions', async ({ testApp }) => {
  await openGallery(testApp)
  const typed = page.getByRole('textbox', { name: 'Code or name' })
  await typed.fill('teal')
  await button('Set Color').click()
  await expect.element(alert('Homepage color updated!')).toBeVisible()
  await button('Undo').click()
  await expect.element(page.getByText('Undone.')).toHaveFocus()
  const versions = part('Versions')
  await expect
    .poll(() =>
      versions
        .getByRole('listitem')
        .elements()
        .map((one) => one.textContent),
    )
    .toEqual([
      expect.stringMatching(/^Went back to version 0Version 2, .*Maya EllisNow$/),
      expect.stringMatching(/^Set the colour to #008080Version 1, .*Maya EllisGo back/),
      expect.stringMatching(/^OriginalVersion 0Go back/),
    ])
  await button('Go back to version 1').click()
  await expect.element(alert('The homepage is as in version 1 again.')).toBeVisible()
  await expect.poll(() => document.activeElement?.textContent).toMatch(/^The homepage is as in/)
})

test('somebody else’s change is not overwritten, and typed text is kept', async ({ testApp }) => {
  await openGallery(testApp)
  const form = page.getByRole('form', { name: 'Modal Settings' })
  await form.getByRole('textbox', { name: 'Modal Heading' }).fill('Ours')
  await form.getByRole('textbox', { name: 'Modal Description' }).fill('Our words.')
  const image = form.getByLabelText('Modal Image', { exact: true })
  await userEvent.upload(image, await pictureFile('#cc8844'))
  const theirs = { modal_heading: 'Theirs', modal_description: 'Their words.', show_modal: true }
  expect(await mutateDirectly('gallery.publishModal', theirs)).toBe(200)
  // Returning to the tab loads their change; that alone does not count as having seen it.
  window.dispatchEvent(new Event('visibilitychange'))
  await expect.element(part('Versions').getByText('Changed the modal, which is on')).toBeVisible()
  await form.getByRole('button', { name: 'Save Settings' }).click()
  await expect
    .element(
      form.getByText(
        'Someone else has changed this since you opened it. Check it again, then save. What you typed is still here.',
      ),
    )
    .toBeVisible()
  await expect.element(form.getByRole('textbox', { name: 'Modal Heading' })).toHaveValue('Ours')
  await form.getByRole('button', { name: 'Show the current settings' }).click()
  await expect.element(form.getByRole('textbox', { name: 'Modal Heading' })).toHaveValue('Theirs')
  await expect.element(form.getByRole('textbox', { name: 'Modal Heading' })).toHaveFocus()
  // Our image is none of the current settings.
  await expect.element(form.getByAltText('The current modal image')).not.toBeInTheDocument()
})

test('an untouched form shows somebody else’s change', async ({ testApp }) => {
  await openGallery(testApp)
  const heading = page.getByRole('textbox', { name: 'Modal Heading' })
  await expect.element(heading).toHaveValue('')
  const theirs = { modal_heading: 'Theirs', modal_description: 'Their words.', show_modal: true }
  await mutateDirectly('gallery.publishModal', theirs)
  await mutateDirectly('gallery.publishColor', { color: 'navy' })
  window.dispatchEvent(new Event('visibilitychange'))
  await expect.element(heading).toHaveValue('Theirs')
  await expect.element(page.getByRole('textbox', { name: 'Code or name' })).toHaveValue('#000080')
})

test('an author adds images and describes them, and is told who may publish', async ({
  testApp,
}) => {
  await openGallery(testApp, 'author')
  await upload('#445566')
  const reason = 'Only superusers, admins and editors may do this.'
  await expect.element(page.getByText(reason)).toBeVisible()
  for (const name of [/^Set as Homepage/, 'Set Color', 'Save Settings']) {
    await expect.element(button(name)).toBeDisabled()
    await expect.element(button(name)).toHaveAccessibleDescription(reason)
  }
  await button(/^Describe/).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'What it shows' }).fill('A grey wall')
  await dialog.getByRole('button', { name: 'Save description' }).click()
  await expect.element(part('Gallery').getByRole('img', { name: 'A grey wall' })).toBeVisible()
  await button('Remove A grey wall').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove image' }).click()
  await expect.element(page.getByText('No images found.')).toBeVisible()
})

test('focus goes to the heading of the section when the removed image takes its button along', async ({
  testApp,
}) => {
  await openGallery(testApp)
  await upload('#224466')
  await upload('#664422')
  const remove = button(/^Remove image of/)
  await expect.poll(() => remove.elements().length).toBe(2)
  await remove.first().click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove image' }).click()
  await expect.element(page.getByText('The image is removed.')).toBeVisible()
  await expect.poll(() => remove.elements().length).toBe(1)
  await expect.element(page.getByRole('heading', { name: 'Gallery' })).toHaveFocus()
})
