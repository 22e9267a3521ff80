import { Agent, request } from 'node:http'
import type { Readable } from 'node:stream'

export interface Client {
  /** @returns the body, as its value. Rejects for any status but 2xx. */
  get(path: string): Promise<Record<string, unknown>>
  post(path: string, type: string, body: Readable): Promise<Record<string, unknown>>
}

/** A client with kept connections, by node:http: fetch takes several times the processor, which the service needs too. */
export function connect(url: string, key: string): Client {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })
  const authorization = `Bearer ${key}`
  const ask = async (method: string, path: string, headers: Record<string, string>, body?: Readable) =>
    await new Promise<Record<string, unknown>>((resolve, reject) => {
      const asked = request(`${url}${path}`, { method, agent, headers: { authorization, ...headers } }, response => {
        const pieces: Buffer[] = []
        response.on('data', (piece: Buffer) => pieces.push(piece))
        response.on('error', reject)
        response.on('end', () => {
          const text = Buffer.concat(pieces).toString()
          if ((response.statusCode ?? 0) >= 300) reject(new Error(`${method} ${path}: ${response.statusCode} ${text}`))
          else resolve(JSON.parse(text))
        })
      })
      asked.on('error', reject)
      if (body === undefined) asked.end()
      else body.pipe(asked)
    })
  return {
    get: async path => await ask('GET', path, {}),
    post: async (path, type, body) => await ask('POST', path, { 'content-type': type }, body),
  }
}
