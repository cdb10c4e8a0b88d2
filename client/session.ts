/** The tokens of a signed-in user. */
export type Tokens = { access: string; refresh: string }

/** Who a client acts as: the owner of an access token, a signed-in user, or a visitor. */
export class Session {
  readonly #token: string | null
  readonly #trade: (refresh: string) => Promise<Tokens | null>
  #tokens: Tokens | null = null
  #renewing: Promise<Tokens | null> | null = null

  /**
   * `token` is an access token of `/userProfile`, which is never refreshed; `trade` exchanges a refresh token
   * for a new pair, or returns null when the session has ended.
   */
  constructor(token: string | null, trade: (refresh: string) => Promise<Tokens | null>) {
    this.#token = token
    this.#trade = trade
  }

  /** Token for the Authorization header; null for a visitor. */
  get bearer(): string | null {
    return this.#token ?? this.#tokens?.access ?? null
  }

  begin(tokens: Tokens): void {
    this.#tokens = tokens
  }

  /** Forgets the session and returns its access token, so that the server can be told. */
  end(): string | null {
    const access = this.#tokens?.access ?? null
    this.#tokens = null
    return access
  }

  /**
   * The access token that replaces `spent`, or null when the session has ended. A refresh token works once:
   * concurrent callers wait for the same pair.
   */
  async renew(spent: string): Promise<string | null> {
    if (this.#tokens?.access !== spent) return this.#tokens?.access ?? null
    this.#renewing ??= this.#trade(this.#tokens.refresh)
    try {
      this.#tokens = await this.#renewing
    } finally {
      this.#renewing = null
    }
    return this.#tokens?.access ?? null
  }
}
