import * as p from './packages.ts'

const mb = (l: string) => {
  const m = process.memoryUsage()
  console.log(
    l,
    [m.rss, m.heapTotal, m.heapUsed, m.external].map((x) => Math.round(x / 1e6)).join(' '),
  )
}
mb('start')
let a = performance.now()
p.readCensusZips()
mb('census ' + (performance.now() - a))
a = performance.now()
p.readOldZips()
mb('old ' + (performance.now() - a))
a = performance.now()
p.readGeoNamesZips()
mb('gn ' + (performance.now() - a))
a = performance.now()
p.readCities(new Set(['GB', 'US']))
mb('cities ' + (performance.now() - a))
a = performance.now()
p.withZipZones((f) => f('10001'))
mb('tz ' + (performance.now() - a))
