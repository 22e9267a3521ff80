import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { z } from 'zod'

const evaluated = z.object({ event: z.string(), data: z.object({ session_id: z.string(), score: z.number() }) })

/** A webhook's receiver, which keeps the ids of what it was told, and of which version of which call that is. */
export class Told {
  /** By version of a call the ids of the events that told of it. */
  readonly events = new Map<string, Set<string>>()
  /** How often something was told again under the same id. */
  repeats = 0
  readonly #seen = new Set<string>()
  readonly #server: Server

  private constructor() {
    this.#server = createServer((request, response) => {
      let text = ''
      request.setEncoding('utf8').on('data', (part: string) => (text += part))
      request.on('end', () => {
        this.#hear(String(request.headers['webhook-id']), text)
        response.writeHead(204).end()
      })
    })
  }

  static async start(): Promise<Told> {
    const told = new Told()
    await new Promise<void>(resolve => told.#server.listen(0, '127.0.0.1', resolve))
    return told
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/events`
  }

  close(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }

  #hear(id: string, text: string): void {
    if (this.#seen.has(id)) this.repeats += 1
    this.#seen.add(id)
    const { data } = evaluated.parse(JSON.parse(text))
    const version = versionKey(data.session_id, versionOfScore(data.score))
    const ids = this.events.get(version) ?? new Set<string>()
    ids.add(id)
    this.events.set(version, ids)
  }
}

/** Versions that a score has room for, from the least score on. */
const VERSIONS_A_POINT = 10_000
const LEAST_SCORE = 1
/** A score that says which version of a call it is of. */
export const scoreOfVersion = (version: number): number => LEAST_SCORE + version / VERSIONS_A_POINT
const versionOfScore = (score: number): number => Math.round((score - LEAST_SCORE) * VERSIONS_A_POINT)
/** Agents 0 to 6 have calls. */
const AGENTS = 7
/** Who took the call, by its version too. */
export const agentOfVersion = (version: number): string => `Agent ${version % AGENTS}`
export const versionKey = (sessionId: string, version: number): string => `${sessionId} v${version}`
