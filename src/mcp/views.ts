import type { ClientCapabilities, ListToolsResult, ReadResourceResult } from '@modelcontextprotocol/server'
import type { Question } from '../questions/question.js'

/** The extension of the protocol by which clients draw answers: MCP Apps, SEP-1865, revision 2026-01-26. */
const EXTENSION = 'io.modelcontextprotocol/ui'
const MIME_TYPE = 'text/html;profile=mcp-app'

/** What the page says in place of the tool whose answers it is to draw. */
const PLACE = 'data-tool="TOOL"'

/**
 * Pages in which clients that can show the answers of some tools. There is nothing of a call in one: a client hands it what the tool
 * answered, and a page that wants more has the client ask the tool, with the key that it has.
 */
export class Views {
  readonly #page: string
  /** The addresses, by the tools. */
  readonly #addresses: ReadonlyMap<string, string>

  /** @param page one for all of them, as the build makes it; without it there are none */
  constructor(page: string | undefined, questions: readonly Pick<Question, 'name' | 'view'>[]) {
    this.#page = page ?? ''
    this.#addresses = new Map(
      page === undefined
        ? []
        : questions.flatMap(({ name, view }) => (view === undefined ? [] : [[name, `ui://earshot/${view}.html`]])),
    )
  }

  /** The tools as a client is told of them: with the addresses of their pages, where it says that it shows such. */
  named(list: ListToolsResult, client: ClientCapabilities | undefined): ListToolsResult {
    if (!shows(client)) return list
    return {
      ...list,
      tools: list.tools.map(tool => {
        const resourceUri = this.#addresses.get(tool.name)
        // The second is where the first clients looked.
        return resourceUri === undefined
          ? tool
          : { ...tool, _meta: { ...tool._meta, ui: { resourceUri }, 'ui/resourceUri': resourceUri } }
      }),
    }
  }

  /** The page of an address; undefined when it leads to none. */
  read(uri: string): ReadResourceResult | undefined {
    const [tool] = [...this.#addresses].find(([, address]) => address === uri) ?? []
    if (tool === undefined) return undefined
    const text = this.#page.replace(PLACE, `data-tool="${tool}"`)
    // No address is named that it may reach, so that a client lets it reach none.
    return { contents: [{ uri, mimeType: MIME_TYPE, text, _meta: { ui: { csp: {}, prefersBorder: true } } }] }
  }
}

function shows(client: ClientCapabilities | undefined): boolean {
  const { mimeTypes } = (client?.extensions?.[EXTENSION] ?? {}) as { readonly mimeTypes?: unknown }
  return Array.isArray(mimeTypes) && mimeTypes.includes(MIME_TYPE)
}
