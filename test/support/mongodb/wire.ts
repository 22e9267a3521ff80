import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer, type TlsOptions } from 'node:tls'
import { deserialize, type Document as BsonDocument, Int32, serialize } from 'bson'

const OP_REPLY = 1
const OP_QUERY = 2004
const OP_MSG = 2013
const HEADER = 16
/** Flags of a message: a request that takes more than one reply to it, and a reply behind which others come. */
const EXHAUST_ALLOWED = 1 << 16
const MORE_TO_COME = 1 << 1
/** The most that a server says it takes. */
export const MOST_MESSAGE_BYTES = 48_000_000

const MOST_HELLO_BYTES = 64 * 1024

/** What comes back for a command: a document, no answer at all, or a closed connection. */
export type Reply = BsonDocument | 'nothing' | 'closed'

/** A port at which commands come. */
export interface Wire {
  readonly address: string
  /** Nobody is let in, as where the process was killed; whoever was is cut off. */
  isDown: boolean
  /** A connection breaks in the midst of a message of more bytes than this, while it is still being sent. */
  breaksAbove: number
  close(): Promise<void>
}

/**
 * Listens on a free port as a server of MongoDB does. What is no message of the protocol, such as the beginning of TLS at a port
 * without it, closes the connection, as it does there.
 */
export async function listen(
  reply: (name: string, body: BsonDocument) => Reply | Promise<Reply>,
  tls?: TlsOptions,
): Promise<Wire> {
  const sockets = new Set<Socket>()
  let isDown = false
  let breaksAbove = MOST_MESSAGE_BYTES
  const connected = (socket: Socket) => {
    socket.on('error', () => undefined)
    // What came of messages that are not whole yet: put together when one is, not with each piece of it.
    let pieces: Buffer[] = []
    let size = 0
    let needed = HEADER
    // Whoever connects says who it is, in few words.
    let most = MOST_HELLO_BYTES
    socket.on('data', chunk => {
      pieces.push(chunk)
      size += chunk.length
      if (size < needed) return
      let pending = pieces.length === 1 ? chunk : Buffer.concat(pieces)
      const wait = (length: number) => {
        pieces = pending.length === 0 ? [] : [pending]
        size = pending.length
        needed = length
      }
      while (pending.length >= HEADER) {
        const length = pending.readInt32LE(0)
        if (length < HEADER || length > most) {
          socket.destroy()
          return
        }
        if (length > breaksAbove) {
          socket.resetAndDestroy()
          return
        }
        if (pending.length < length) {
          wait(length)
          return
        }
        most = MOST_MESSAGE_BYTES
        const message = pending.subarray(0, length)
        pending = pending.subarray(length)
        const body = readMessage(message)
        const name = Object.keys(body)[0] ?? ''
        const isStream = message.readInt32LE(12) === OP_MSG && (message.readInt32LE(HEADER) & EXHAUST_ALLOWED) !== 0
        if (isStream) {
          void stream(socket, message, body, one => reply(name, one))
          continue
        }
        const answer = reply(name, body)
        if (answer instanceof Promise) void answer.then(one => send(socket, message, one))
        else send(socket, message, answer)
      }
      wait(HEADER)
    })
  }
  const server: Server = tls === undefined ? createServer(connected) : createTlsServer(tls, connected)
  // Before it is known whether it speaks TLS.
  server.on('connection', (socket: Socket) => {
    if (isDown) socket.destroy()
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const cutOff = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    get isDown() {
      return isDown
    },
    set isDown(value) {
      isDown = value
      if (value) cutOff()
    },
    get breaksAbove() {
      return breaksAbove
    },
    set breaksAbove(value) {
      breaksAbove = value
    },
    close: async () => {
      cutOff()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

/** What a server says of itself, again with every change: the driver asks once, with the version that it knows. */
async function stream(
  socket: Socket,
  request: Buffer,
  body: BsonDocument,
  reply: (body: BsonDocument) => Reply | Promise<Reply>,
): Promise<void> {
  let topologyVersion: unknown = body['topologyVersion']
  while (!socket.destroyed) {
    // oxlint-disable-next-line no-await-in-loop -- one change after the other
    const next = await reply({ ...body, topologyVersion })
    if (typeof next === 'string') return
    if (!socket.destroyed) socket.write(writeMessage(request, next, MORE_TO_COME))
    topologyVersion = next['topologyVersion']
  }
}

function send(socket: Socket, request: Buffer, reply: Reply): void {
  if (reply === 'closed') socket.destroy()
  else if (reply !== 'nothing' && !socket.destroyed) socket.write(writeMessage(request, reply))
}

function readMessage(message: Buffer): BsonDocument {
  const read = (bytes: Buffer): BsonDocument => deserialize(bytes, { promoteValues: false, promoteBuffers: true })
  if (message.readInt32LE(12) === OP_QUERY) {
    const end = message.indexOf(0, HEADER + 4)
    return unwrapped(read(message.subarray(end + 9)))
  }
  if (message.readInt32LE(12) !== OP_MSG) throw new Error('Not a message of the protocol')
  const body: BsonDocument = {}
  for (let at = HEADER + 4; at < message.length;) {
    const kind = message[at]
    at += 1
    const size = message.readInt32LE(at)
    if (kind === 0) Object.assign(body, read(message.subarray(at, at + size)))
    else {
      const nameEnd = message.indexOf(0, at + 4)
      const items: BsonDocument[] = []
      for (let inner = nameEnd + 1; inner < at + size;) {
        const length = message.readInt32LE(inner)
        items.push(read(message.subarray(inner, inner + length)))
        inner += length
      }
      body[message.toString('utf8', at + 4, nameEnd)] = items
    }
    at += size
  }
  return unwrapped(body)
}

/** The parts of a command that are no documents, as plain numbers. */
function unwrapped(body: BsonDocument): BsonDocument {
  return Object.fromEntries(
    Object.entries(body).map(([name, value]: [string, unknown]) => [
      name,
      value instanceof Int32 ? value.value : value,
    ]),
  )
}

let replies = 0

function writeMessage(request: Buffer, reply: BsonDocument, flags = 0): Buffer {
  const body = Buffer.from(serialize(reply))
  const isQuery = request.readInt32LE(12) === OP_QUERY
  const between = isQuery ? Buffer.alloc(20) : Buffer.alloc(5)
  if (isQuery) between.writeInt32LE(1, 16)
  else between.writeInt32LE(flags)
  const header = Buffer.alloc(HEADER)
  replies += 1
  header.writeInt32LE(HEADER + between.length + body.length, 0)
  header.writeInt32LE(replies, 4)
  header.writeInt32LE(request.readInt32LE(4), 8)
  header.writeInt32LE(isQuery ? OP_REPLY : OP_MSG, 12)
  return Buffer.concat([header, between, body])
}
