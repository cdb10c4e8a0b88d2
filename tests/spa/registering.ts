import { page } from 'vitest/browser'

const field = (name: string) => page.getByRole('textbox', { name, exact: true })

/** Fills in the whole registration of a provider in London. */
export async function fillInProviderRegistration(): Promise<void> {
  await field('First name').fill('ann')
  await field('Last name').fill('lee')
  await field('Email').fill('Ann.LEE@Example.ORG')
  await field('Phone number').fill('020 7946 0000')
  await field('Password').fill('correct horse battery')
  await page.getByRole('combobox', { name: 'Professional body' }).selectOptions('GMC')
  await field('Registration number').fill('7012345')
  await page.getByRole('combobox', { name: 'Specialty' }).selectOptions('gp')
  await field('Qualification 1').fill('MBBS')
  await field('Name of the practice').fill('Harbour Surgery')
  await field('Street address').fill('1 Borough High Street')
  await field('Postcode').fill('SE1 6ET')
  await field('First visit, in pounds').fill('60')
  await field('Follow-up visit, in pounds').fill('45')
  await field('How you work').fill('I see families, and take the time it takes to listen.')
  await page.getByRole('checkbox', { name: /terms of use/ }).click()
}
