import * as z from 'zod/mini'

export type Environment = Record<string, string | undefined>

/** The parsed URL if it is valid and uses one of these protocols (`https:`), else null. */
export function urlOf(text: string, ...protocols: string[]): URL | null {
  const url = URL.canParse(text) ? new URL(text) : null
  return url !== null && protocols.includes(url.protocol) ? url : null
}

/** Reads variables one by one and collects the problems, to report them all at once. */
export class Reader {
  readonly problems: string[] = []
  readonly #env: Environment

  constructor(env: Environment) {
    this.#env = env
  }

  text(name: string): string | null {
    const value = this.#env[name]?.trim()
    return value === undefined || value === '' ? null : value
  }

  refuse(problem: string): void {
    this.problems.push(problem)
  }

  flag(name: string, fallback: boolean): boolean {
    const value = this.text(name)
    if (value === 'on') return true
    if (value === 'off') return false
    if (value !== null) this.refuse(`${name} must be "on" or "off".`)
    return fallback
  }

  choice<const T extends string>(name: string, values: readonly T[], fallback: T): T {
    const value = this.text(name)
    if (value === null) return fallback
    const found = values.find((one) => one === value)
    if (found === undefined) this.refuse(`${name} must be one of ${values.join(', ')}.`)
    return found ?? fallback
  }

  /** A port number; null when not set. */
  port(name: string): number | null {
    const value = this.text(name)
    if (value === null) return null
    const port = Number(value)
    if (/^\d+$/.test(value) && port <= 65_535) return port
    this.refuse(`${name} must be a number from 0 to 65535.`)
    return 0
  }

  email(name: string): string | null {
    const value = this.text(name)
    if (value === null) return null
    const address = /<([^<>]+)>$/.exec(value)?.[1] ?? value
    if (!z.email().safeParse(address).success || /[\r\n]/.test(value)) {
      this.refuse(`${name} must be an e-mail address.`)
    }
    return value
  }

  url(name: string, ...protocols: string[]): string | null {
    const value = this.text(name)
    if (value === null) return null
    if (urlOf(value, ...protocols) === null) {
      this.refuse(
        `${name} must be a URL that starts with ${protocols.map((one) => `${one}//`).join(' or ')}.`,
      )
      return null
    }
    return value
  }

  list(name: string): string[] {
    const value = this.text(name)
    return value === null ? [] : value.split(',').map((one) => one.trim())
  }
}
