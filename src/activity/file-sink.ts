import type { NewActivityEvent } from './activity-event.js'
import { encodeLine } from './audit-line.js'
import type { AuditSink } from './audit-sink.js'
import type { ChainKey } from './chain-key.js'
import { removeExpired } from './remove-expired.js'
import type { TrailFiles } from './trail-files.js'
import type { TrailEnd } from './trail-reader.js'
import type { TrailWriter } from './trail-writer.js'

interface Parts {
  readonly files: TrailFiles
  readonly writer: TrailWriter
  readonly key: ChainKey
  /** Highest number ever given. */
  readonly lastSequence: number
}

/** The trail in files: every line with its number, a seal that follows from the line before it, and a checksum. */
export class FileSink implements AuditSink {
  readonly key: ChainKey
  readonly files: TrailFiles
  readonly #writer: TrailWriter
  #durable: number
  /** Highest number given. Those between `#durable` and it are being written or were refused; none is given twice. */
  #given: number

  constructor({ files, writer, key, lastSequence }: Parts) {
    this.key = key
    this.files = files
    this.#writer = writer
    this.#durable = lastSequence
    this.#given = lastSequence
  }

  get lastSequence(): number {
    return this.#durable
  }

  /** How far the files may be read. */
  get end(): TrailEnd {
    return this.#writer.end
  }

  /** The file of the head as it has to be beside files that end there. */
  get headText(): string {
    return this.#writer.headText
  }

  async write(events: readonly NewActivityEvent[]): Promise<void> {
    const number = this.#given + 1
    this.#given += events.length
    // A reader must be able to tell numbers that were passed over from lines that are missing.
    const after = number === this.#durable + 1 ? undefined : this.#durable
    let mac = this.#writer.mac
    const lines = events.map((event, index) => {
      const chain = { key: this.key, previous: mac }
      const encoded = encodeLine(number + index, index === 0 ? after : undefined, event, chain)
      mac = encoded.mac
      return encoded.line
    })
    await this.#writer.write(Buffer.from(lines.join('')), number, { seq: this.#given, mac })
    this.#durable = this.#given
  }

  abandon(): Promise<void> {
    return this.#writer.abandon()
  }

  async renew(): Promise<void> {
    // A number of its own for each try: a half-made segment of an earlier one may still have that name.
    this.#given += 1
    await this.#writer.renew(this.#given)
  }

  upkeep(): Promise<void> {
    return this.#writer.upkeep(this.#given + 1)
  }

  removeBefore(instant: number, inTurn: (part: () => Promise<void>) => Promise<void>): Promise<readonly string[]> {
    return removeExpired(this.files, this.end.segment, instant, oldest => inTurn(() => this.#writer.begin(oldest)))
  }

  close(): Promise<void> {
    return this.#writer.close()
  }
}
