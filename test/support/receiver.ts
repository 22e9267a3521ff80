import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { z } from 'zod'

const message = z.object({
  id: z.string(),
  event: z.string(),
  timestamp: z.string(),
  data: z.record(z.string(), z.unknown()),
})

/** A delivery as it came. */
export interface Received extends z.output<typeof message> {
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  /** The status it was answered with. */
  readonly status: number
}

/** Answers a delivery: its status, at once or later. */
type Answer = (delivery: Omit<Received, 'status'>, count: number) => number | Promise<number>

/** A webhook receiver on loopback that keeps everything it was sent. */
export class Receiver {
  readonly received: Received[] = []
  readonly #server: Server
  #count = 0

  private constructor(answer: Answer) {
    this.#server = createServer((request, response) => {
      let text = ''
      request.setEncoding('utf8').on('data', (part: string) => (text += part))
      request.on('end', () => {
        const headers = Object.fromEntries(
          Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
        )
        const delivery = { ...message.parse(JSON.parse(text)), headers, text }
        void Promise.resolve(answer(delivery, ++this.#count)).then(status => {
          this.received.push({ ...delivery, status })
          response.writeHead(status).end()
        })
      })
    })
  }

  static async start(answer: Answer = () => 204, port = 0): Promise<Receiver> {
    const receiver = new Receiver(answer)
    await new Promise<void>(resolve => receiver.#server.listen(port, '127.0.0.1', resolve))
    return receiver
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/events`
  }

  /** What was taken, in the order it was. */
  get accepted(): readonly Received[] {
    return this.received.filter(({ status }) => status < 300)
  }

  /** Waits until something is so; after five minutes, on a machine however busy, it gives up and says what came. */
  async until(so: (receiver: Receiver) => boolean): Promise<void> {
    const end = performance.now() + 300_000
    while (!so(this)) {
      if (performance.now() > end)
        throw new Error(
          `waited in vain; ${this.received.length} came, the last ${JSON.stringify(this.received.slice(-5), null, 1)}`,
        )
      await setTimeout(20)
    }
  }

  stop(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }
}
