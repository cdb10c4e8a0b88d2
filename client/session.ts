/** The pair of tokens of somebody signed in. */
export type Tokens = { access: string; refresh: string }

/** Who a client speaks as: the owner of an access token, somebody signed in, or a visitor. */
export class Session {
  readonly #token: string | null
  readonly #trade: (refresh: string) => Promise<Tokens | null>
  #tokens: Tokens | null = null
  #renewing: Promise<Tokens | null> | null = null

  /**
   * `token` is an access token of `/userProfile`, which is never renewed; `trade` gives a new pair for
   * a refresh token, or null when the session is over.
   */
  constructor(token: string | null, trade: (refresh: string) => Promise<Tokens | null>) {
    this.#token = token
    this.#trade = trade
  }

  /** What goes into the Authorization header; null for a visitor. */
  get bearer(): string | null {
    return this.#token ?? this.#tokens?.access ?? null
  }

  begin(tokens: Tokens): void {
    this.#tokens = tokens
  }

  /** Forgets who is signed in; returns the access token it had, with which the server can be told. */
  end(): string | null {
    const access = this.#tokens?.access ?? null
    this.#tokens = null
    return access
  }

  /**
   * The access token that comes after `spent`, or null when the session is over. A refresh token is
   * good for one use: whoever asks meanwhile waits for the same pair.
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
