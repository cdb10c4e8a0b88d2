import {
  command,
  connect,
  EXIT_OK,
  EXIT_STOPPED,
  readArgs,
  runAsProgram,
  serverUrl,
  UsageError,
} from './command.ts'

const HELP = `Finds who near a place has the soonest free time.

  npm run example -- examples/soonest-dentist.ts SE1 6ET
  npm run example -- examples/soonest-dentist.ts 10001 --region usa --radius 5

  --specialty NAME   whom to look for; dentist when left out
  --radius MILES     1, 3, 5, 10 (when left out), 25 or 50
  --region REGION    uk (when left out) or usa
  --json             the answer for programs

Needs no token. APPOSITE_URL is where the server is, http://localhost:3000 when left out.
Ends with 0 when somebody was found, 3 when nobody is free, 2 when called wrongly, else 1.`

const RADII = [1, 3, 5, 10, 25, 50] as const

function readRadius(text: string | undefined) {
  if (text === undefined) return 10
  const radius = RADII.find((one) => String(one) === text)
  if (radius === undefined) throw new UsageError(`--radius is one of ${RADII.join(', ')}.`)
  return radius
}

function readRegion(text: string | undefined) {
  if (text === undefined || text === 'uk') return 'uk'
  if (text !== 'usa') throw new UsageError('--region is uk or usa.')
  return 'usa'
}

/** Prints the provider with the soonest free time, where they are and what it costs. */
export const soonestDentist = command(HELP, async (args, context) => {
  const { text, has, words } = readArgs(args, {
    specialty: { type: 'string' },
    radius: { type: 'string' },
    region: { type: 'string' },
    json: { type: 'boolean' },
  })
  if (words.length === 0) throw new UsageError('Say near which postcode, ZIP code or town.')
  const region = readRegion(text('region'))
  const found = await connect(context, 'no token').search.providers.query({
    selectedRegion: region,
    postcode: words.join(' '),
    specialty: text('specialty') ?? 'dentist',
    radius: readRadius(text('radius')),
    // An explicit radius is kept; otherwise the search widens until there is a choice.
    distance_filter_clicked: text('radius') !== undefined,
    sort: 'soonest',
  })
  const first = found.results.find(({ nextFree }) => nextFree !== null)
  if (first === undefined || first.nextFree === null) {
    context.printError(`Nobody within ${found.radius} miles of ${found.place.label} is free.`)
    return EXIT_STOPPED
  }
  const { id, name, specialty, place, distance, fee, nextFree } = first
  const url = `${serverUrl(context)}/doctor-profile/${id}/${distance.toFixed(1)}?region=${region}`
  if (has('json')) {
    context.print(JSON.stringify({ id, name, place, distance, fee, nextFree, url }, null, 2))
    return EXIT_OK
  }
  const when = new Intl.DateTimeFormat(region === 'uk' ? 'en-GB' : 'en-US', {
    dateStyle: 'full',
    timeStyle: 'short',
    timeZone: place.timeZone,
  }).format(new Date(nextFree))
  const price = new Intl.NumberFormat('en', { style: 'currency', currency: fee.currency })
  context.print(`${name}, ${specialty.name}`)
  context.print(`${when} (${place.timeZone}), ${price.format(fee.minor / 100)} for a first visit`)
  context.print(`${place.name}, ${place.locality} ${place.postcode}, ${distance.toFixed(1)} miles`)
  if (found.widened)
    context.print(`Few are near, so everybody within ${found.radius} miles counts.`)
  context.print(url)
  return EXIT_OK
})

await runAsProgram(import.meta.main, soonestDentist)
