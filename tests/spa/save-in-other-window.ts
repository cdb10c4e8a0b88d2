import type { makeRouter } from '#app/router.tsx'

/** Keeps only the viewer's first `count` weekly hours, as another window of theirs would. */
export async function saveInOtherWindow(
  router: ReturnType<typeof makeRouter>,
  count: number,
): Promise<void> {
  const { availability } = router.options.context.client
  const { version, settings, hours } = await availability.mine.query()
  await availability.saveHours.mutate({ version, settings, hours: hours.slice(0, count) })
}
