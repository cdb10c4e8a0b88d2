import { setImmediate as immediate } from 'node:timers/promises'

/** Lets whatever else is waiting have its turn of the event loop. */
export async function nextTurn(): Promise<void> {
  await immediate()
}
