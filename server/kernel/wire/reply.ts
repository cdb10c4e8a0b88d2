import { cookieHeader } from './cookies.ts'

/** What an answer carries beside its body; written by use cases once their act is done. */
export class Reply {
  readonly headers: [name: string, value: string][] = []

  /** `maxAge` is in seconds; 0 removes the cookie. */
  cookie(name: string, value: string, options: { maxAge: number; isReadable?: boolean }): void {
    this.headers.push(['set-cookie', cookieHeader(name, value, options)])
  }

  header(name: string, value: string): void {
    this.headers.push([name, value])
  }
}
