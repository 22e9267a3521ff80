import type { AuditTrailOptions } from './audit-trail-options.js'
import { AuditTrail } from './audit-trail.js'
import type { FileSink } from './file-sink.js'
import type { TrailFiles } from './trail-files.js'
import type { TrailEnd } from './trail-reader.js'

/** The audit trail of a data directory, whose files others read. See `openAuditTrail`. */
export class FileAuditTrail extends AuditTrail {
  readonly #sink: FileSink

  constructor(sink: FileSink, options: AuditTrailOptions) {
    super(sink, options)
    this.#sink = sink
  }

  get files(): TrailFiles {
    return this.#sink.files
  }

  /** How far the files may be read. */
  get end(): TrailEnd {
    return this.#sink.end
  }

  /** The file of the head as it has to be beside files that end there. */
  get headText(): string {
    return this.#sink.headText
  }
}
