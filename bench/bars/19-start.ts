import { type Bar, type BenchOptions, type Measure, percentile } from '#bench/bar.ts'
import { startDemo } from '#bench/demo-server.ts'

const MAX_MS = 1_000

async function run(options: BenchOptions): Promise<Measure[]> {
  // The first start creates what is missing, so it is not measured.
  await (await startDemo(options)).close()
  const times: number[] = []
  for (let round = 0; round < (options.quick ? 3 : 7); round++) {
    const server = await startDemo(options)
    times.push(server.startedIn)
    await server.close()
  }
  return [
    {
      name: 'start to first healthy answer, database ready',
      ours: percentile(times, 0.5),
      limit: MAX_MS,
      unit: 'ms',
      bar: { atMost: 1 },
    },
  ]
}

export const bar: Bar = { no: 19, title: 'Start', run }
