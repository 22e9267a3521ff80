import type { OAuthClientProvider } from '@modelcontextprotocol/client'

/** What a client keeps of a sign-in, in memory; `answered` holds the address that the browser was sent to in the end. */
export interface TriedProvider extends OAuthClientProvider {
  readonly kept: Map<string, unknown>
}

/** An OAuth client as the official SDK drives it, of whose browser we are told where to go. */
export function oauthProvider(open: (address: URL) => void, redirect = 'http://127.0.0.1:9/callback'): TriedProvider {
  const kept = new Map<string, unknown>()
  const provider = {
    kept,
    redirectUrl: redirect,
    clientMetadata: {
      client_name: 'Tests of Earshot',
      redirect_uris: [redirect],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
    clientInformation: () => kept.get('client'),
    saveClientInformation: (client: unknown) => void kept.set('client', client),
    tokens: () => kept.get('tokens'),
    saveTokens: (tokens: unknown) => void kept.set('tokens', tokens),
    redirectToAuthorization: open,
    saveCodeVerifier: (verifier: string) => void kept.set('verifier', verifier),
    codeVerifier: () => kept.get('verifier') as string,
  }
  return provider as unknown as TriedProvider
}

type FormFields = Record<string, string> | [string, string][]

/** A browser as far as signing in needs one: it keeps cookies, follows redirects of ours and pages that lead on, and sends forms. */
export class Browser {
  readonly #cookies = new Map<string, { readonly name: string; readonly value: string; readonly path: string }>()
  readonly #origin: string
  /** As the last page says: where it says no-referrer, browsers tell forms' receivers no origin either. */
  #referrerPolicy: string | null = null

  constructor(origin: string) {
    this.#origin = origin
  }

  /** The names of the cookies that it has. */
  get cookies(): readonly string[] {
    return [...this.#cookies.values()].map(({ name }) => name)
  }

  /** Has every cookie that another has, as a neighbour of the host can plant them. */
  takeFrom(other: Browser): void {
    for (const [place, cookie] of other.#cookies) this.#cookies.set(place, cookie)
  }

  /** Goes to an address until a page is shown, or the way leads elsewhere. */
  async go(address: string | URL, init: RequestInit = {}): Promise<{ readonly at: URL; readonly page?: Response }> {
    let at = new URL(address)
    let request = init
    for (let hops = 0; hops < 10; hops++) {
      if (at.origin !== this.#origin) return { at }
      // oxlint-disable-next-line no-await-in-loop -- one step leads to the next
      const response = await this.goOnly(at, request)
      // oxlint-disable-next-line no-await-in-loop -- one step leads to the next
      const location = response.headers.get('location') ?? ledOnTo(await response.clone().text())
      if (location === undefined) return { at, page: response }
      at = new URL(location, at)
      request = {}
    }
    throw new Error('A sign-in leads in a circle')
  }

  /** Goes to an address and no further. */
  async goOnly(address: string | URL, init: RequestInit = {}): Promise<Response> {
    const at = new URL(address)
    const cookie = [...this.#cookies.values()]
      .filter(({ path }) => at.pathname.startsWith(path))
      .map(({ name, value }) => `${name}=${value}`)
      .join('; ')
    const response = await fetch(at, {
      ...init,
      redirect: 'manual',
      headers: { ...(init.headers as Record<string, string> | undefined), ...(cookie === '' ? {} : { cookie }) },
    })
    this.#referrerPolicy = response.headers.get('referrer-policy')
    for (const line of response.headers.getSetCookie()) this.#keep(line)
    return response
  }

  /** Sends the form of a page. */
  async send(at: URL, fields: FormFields, headers: Readonly<Record<string, string>> = {}) {
    return await this.go(at, this.#formOf(fields, headers))
  }

  /** Sends the form of a page, and goes no further. */
  async sendOnly(at: URL, fields: FormFields): Promise<Response> {
    return await this.goOnly(at, this.#formOf(fields))
  }

  #formOf(fields: FormFields, headers: Readonly<Record<string, string>> = {}): RequestInit {
    return {
      method: 'POST',
      headers: { origin: this.#referrerPolicy === 'no-referrer' ? 'null' : this.#origin, ...headers },
      body: new URLSearchParams(fields),
    }
  }

  #keep(line: string): void {
    const [pair = '', ...attributes] = line.split(';').map(part => part.trim())
    const [name = '', value = ''] = pair.split('=', 2)
    const path = attributes.find(one => one.toLowerCase().startsWith('path='))?.slice(5) ?? '/'
    if (value === '') this.#cookies.delete(`${name} ${path}`)
    else this.#cookies.set(`${name} ${path}`, { name, value, path })
  }
}

/** Where a page leads by itself, as its tag says in HTML. */
export function ledOnTo(page: string): string | undefined {
  const address = /<meta http-equiv="refresh" content="0;url=([^"]*)">/.exec(page)?.[1]
  return address?.replaceAll('&amp;', '&')
}

/** Lets a client in as a person would, with a key. Gives the address its answer went to. */
export async function letIn(address: string | URL, key: string): Promise<URL> {
  const browser = new Browser(new URL(address).origin)
  const asked = await browser.go(address)
  const shown = await browser.send(asked.at, { step: 'key', key })
  const { at } = await browser.send(shown.at, { step: 'allow' })
  return at
}
