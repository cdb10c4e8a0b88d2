import { page } from 'vitest/browser'
import type { StaffRole } from '#contract/staff.ts'
import type { Backend } from '#tests/harness/spa/spa-bridge.ts'
import { openPage } from '#tests/harness/spa/spa-page.tsx'
import { addStaff } from './staff.ts'

/** Calls a mutation as the signed-in user, as from another tab. */
export async function mutateDirectly(path: string, input: object): Promise<number> {
  const { status } = await fetch(`/trpc/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(input),
  })
  return status
}

/** Opens the gallery as a member of staff. */
export async function openGallery(testApp: Backend, role: StaffRole = 'editor') {
  const { email } = await addStaff(testApp, role, { email: `${role}@demo.example` })
  await mutateDirectly('auth.enterDemo', { email })
  return openPage('/admin-home/gallery')
}

/** A PNG file of one colour; another colour makes a different image. */
export async function pictureFile(color: string, name = 'front-door.png'): Promise<File> {
  const canvas = new OffscreenCanvas(900, 560)
  const drawing = canvas.getContext('2d')
  if (drawing === null) throw new Error('Nothing can be drawn here.')
  drawing.fillStyle = color
  drawing.fillRect(0, 0, 900, 560)
  return new File([await canvas.convertToBlob({ type: 'image/png' })], name, { type: 'image/png' })
}

/** The section of the page with this heading. */
export const part = (name: string) => page.getByRole('region', { name })
