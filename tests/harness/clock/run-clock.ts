import { subscribe } from 'node:diagnostics_channel'
import { ServerResponse } from 'node:http'
import { moveClock } from './move-clock.ts'

// Importing this moves the clock of the process and of every program that it starts to TEST_AT, a date and time in London.
const at = process.env['TEST_AT'] ?? ''
if (at !== '' && process.env['TEST_CLOCK_AHEAD_MS'] === undefined) {
  const { epochMilliseconds } = Temporal.PlainDateTime.from(at).toZonedDateTime('Europe/London')
  process.env['TEST_CLOCK_AHEAD_MS'] = String(epochMilliseconds - Date.now())
  const others = process.env['NODE_OPTIONS'] ?? ''
  process.env['NODE_OPTIONS'] = `${others} --import=${import.meta.url}`.trim()
}

/** How far the clocks of this run are ahead of the machine's, in milliseconds: 0 without TEST_AT. */
export const aheadMs = Number(process.env['TEST_CLOCK_AHEAD_MS'] ?? 0)

if (aheadMs !== 0 && !('movedClock' in globalThis)) {
  moveClock(aheadMs)
  // Node writes this header by the machine's clock, and pages set theirs by it.
  subscribe('http.server.request.start', (message) => {
    if (!(message instanceof Object && 'response' in message)) return
    const { response } = message
    if (response instanceof ServerResponse) response.setHeader('date', new Date().toUTCString())
  })
}
