import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { accessTable } from '#server/kernel/access.ts'
import type { World } from '#tests/harness/world.ts'
import { Dice } from './dice.ts'
import { Drawer } from './from-schema.ts'
import { faultOf, findBroken, takeDefects } from './judge.ts'
import { type Caller, enliven, ownOf } from './living.ts'
import { type Sketch, sketch } from './requests.ts'
import { beginRound, endRound, layGround, lookAround, type Round, type Site } from './round.ts'
import { everyTarget, type Target } from './targets.ts'
import { requestOf, twist } from './wire.ts'

type Asked = { seed: number; count: number }

export type Report = {
  /** Answers by status. */
  statuses: ReadonlyMap<number, number>
  /** Targets that were tried, and those that let somebody through. */
  tried: ReadonlySet<string>
  passed: ReadonlySet<string>
  /** What went wrong, in words that allow to do it again. */
  findings: readonly string[]
}

/** Sessions and proofs last longer than these requests, a second each. */
const A_ROUND = 240
const LOOK_EVERY = 40
const SECOND = 1_000
const GIVE_UP_MS = 20_000
const MOST_FINDINGS = 12
const MOST_SHOWN = 700

/** A name for a target, as findings and statistics have it. */
export function nameOf(target: Target): string {
  if (target.kind === 'rest') return `${target.call.method} ${target.call.path}`
  return target.path
}

/** The procedure whose row says who may. */
function doorOf(target: Exclude<Target, { kind: 'upload' }>): string {
  return target.kind === 'trpc' ? target.path : (target.call.procedures[0] ?? '')
}

function shown({ method, path, headers, body }: Sketch): string {
  const text = typeof body === 'string' ? body : body === null ? '' : `(${body.constructor.name})`
  const line = `${method} ${path}\n    ${JSON.stringify(headers)}\n    ${JSON.stringify(text)}`
  return line.length > MOST_SHOWN ? `${line.slice(0, MOST_SHOWN)}…` : line
}

/** The text of an answer, which in this process nobody has unpacked. */
async function textOf(response: Response): Promise<string> {
  const bytes = Buffer.from(await response.arrayBuffer())
  const packing = response.headers.get('content-encoding')
  if (bytes.length === 0 || packing === null) return bytes.toString('utf8')
  return (packing === 'br' ? brotliDecompressSync(bytes) : gunzipSync(bytes)).toString('utf8')
}

class Run {
  readonly #site: Site
  readonly #world: World
  readonly #dice: Dice
  readonly #drawer: Drawer
  readonly #ways: readonly (readonly Target[])[]
  #round: Round = { callers: [], known: [], slots: [] }
  /** Of a kind one finding is enough. */
  readonly #known = new Set<string>()
  readonly statuses = new Map<number, number>()
  readonly tried = new Set<string>()
  readonly passed = new Set<string>()
  readonly findings: string[] = []

  constructor(site: Site) {
    this.#site = site
    this.#world = site.world
    this.#dice = site.dice
    this.#drawer = new Drawer(this.#dice, () => this.#round.known)
    const { trpc, rest, uploads } = everyTarget()
    this.#ways = [trpc, rest, uploads]
  }

  async go(count: number): Promise<void> {
    for (let n = 0; n < count && this.findings.length < MOST_FINDINGS; n++) {
      if (n % A_ROUND === 0) await this.#nextRound(n)
      else if (n % LOOK_EVERY === 0) Object.assign(this.#round, await lookAround(this.#site))
      await this.#one(n)
      this.#world.advance(SECOND)
    }
    await endRound(this.#world)
    this.#note('after the last request', takeDefects(this.#world))
    this.#note('in the end', await findBroken(this.#world))
  }

  async #nextRound(n: number): Promise<void> {
    if (n > 0) await endRound(this.#world)
    this.#note(`in the jobs before request ${n}`, takeDefects(this.#world))
    this.#round = await beginRound(this.#site)
  }

  #note(when: string, faults: readonly string[]): void {
    for (const fault of faults) this.findings.push(`${when}: ${fault.slice(0, 1_500)}`)
  }

  /** Each of them once, and then whatever chance wants. */
  #target(n: number): Target {
    const [trpc = [], rest = [], files = []] = this.#ways
    const next = this.#ways.flat()[n]
    if (next !== undefined) return next
    const kind = this.#dice.next()
    return this.#dice.one(kind < 0.5 ? trpc : kind < 0.97 ? rest : files)
  }

  /** Mostly somebody who is let in, and at times anybody at all. */
  #who(target: Target): Caller {
    const { callers } = this.#round
    const may = target.kind === 'upload' ? undefined : accessTable.get(doorOf(target))?.may
    const welcome = callers.filter(({ as, isProved, isInSetup, mustChoosePassword }) => {
      const isHale = isProved && !isInSetup && !mustChoosePassword
      return isHale && (may === undefined || may.includes(as))
    })
    return this.#dice.one(this.#dice.chance(0.75) && welcome.length > 0 ? welcome : callers)
  }

  async #one(n: number): Promise<void> {
    const dice = this.#dice
    const target = this.#target(n)
    const who = this.#who(target)
    const { known, slots } = this.#round
    const slot = slots.length === 0 ? null : dice.one(slots)
    const living = { dice, known, slot, own: await ownOf(this.#world, who) }
    const means = {
      dice,
      drawer: this.#drawer,
      enliven: (value: unknown) => enliven(value, living),
    }
    let made = sketch(target, means)
    // What a browser sends with every call, unless the sketch or a twist says otherwise.
    made = { ...made, headers: { ...who.browser.headers(), ...made.headers } }
    while (dice.chance(0.2)) made = twist(made, dice)
    const request = requestOf(made)
    if (request === null) return
    const fault = await this.#send(request, nameOf(target))
    const defects = takeDefects(this.#world)
    if (fault === null && defects.length === 0) return
    const why = [fault, ...defects].filter((one) => one !== null).join('\n    ')
    const kind = `${nameOf(target)} ${fault}`
    if (this.#known.has(kind)) return
    this.#known.add(kind)
    this.findings.push(`request ${n} as ${who.name}: ${why.slice(0, 2_500)}\n    ${shown(made)}`)
  }

  async #send(request: Request, name: string): Promise<string | null> {
    const address = `10.${this.#dice.below(250)}.${this.#dice.below(250)}.7`
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<null>((resolve) => {
      timer = setTimeout(() => resolve(null), GIVE_UP_MS)
    })
    const response = await Promise.race([this.#world.app.fetch(request, address), late])
    clearTimeout(timer)
    if (response === null) return 'no answer'
    const { status } = response
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1)
    this.tried.add(name)
    if (status < 300) this.passed.add(name)
    return faultOf(response, await textOf(response))
  }
}

/** Sends so many made-up requests to a world and says what went wrong. */
export async function fuzz(
  { world, sandbox }: Omit<Site, 'dice'>,
  { seed, count }: Asked,
): Promise<Report> {
  await layGround(world)
  const run = new Run({ world, sandbox, dice: new Dice(seed) })
  await run.go(count)
  return run
}
