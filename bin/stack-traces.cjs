'use strict'

// Stack traces name the sources, not the files they were bundled into. The maps are read for traces that somebody looks at:
// by process.setSourceMapsEnabled() each start reads more than two hundred, a tenth of its processor time, and keeps them in memory.
const { readFileSync } = require('node:fs')
const { SourceMap } = require('node:module')
const { join } = require('node:path')
const { fileURLToPath, pathToFileURL } = require('node:url')

const program = pathToFileURL(join(__dirname, '..', 'dist', 'program')).href

/** Where frames stand, by what V8 says of them. Maps are not kept: one takes up to 60 MB of memory, and errors come from few places. */
const known = new Map()
/** Most places that are kept. */
const MOST_KNOWN = 1_000

function readMap(file) {
  try {
    return new SourceMap(JSON.parse(readFileSync(fileURLToPath(`${file}.map`), 'utf8')))
  } catch {
    // A trace without it is better than none.
    return undefined
  }
}

/** A frame as V8 says it, in its source. @param maps those of the files that were read for this trace; undefined of one that has none */
function named(frame, maps) {
  const said = String(frame)
  const [file, line, column] = [frame.getFileName(), frame.getLineNumber(), frame.getColumnNumber()]
  if (typeof file !== 'string' || !file.startsWith(program) || line === null || column === null) return said
  const there = known.get(said)
  if (there !== undefined) return there
  if (!maps.has(file)) maps.set(file, readMap(file))
  const found = maps.get(file)?.findEntry(line - 1, column - 1)
  if (found?.originalSource === undefined) return said
  const source = fileURLToPath(new URL(found.originalSource, file))
  const place = said.replace(`${file}:${line}:${column}`, () => {
    return `${source}:${found.originalLine + 1}:${found.originalColumn + 1}`
  })
  if (known.size >= MOST_KNOWN) known.clear()
  known.set(said, place)
  return place
}

/** The name and the message of what was thrown, whatever it makes of being asked. */
function titleOf(error) {
  try {
    return Error.prototype.toString.call(error)
  } catch {
    return 'Error'
  }
}

Error.prepareStackTrace = (error, frames) => {
  const maps = new Map()
  return [titleOf(error), ...frames.map(frame => `    at ${named(frame, maps)}`)].join('\n')
}
