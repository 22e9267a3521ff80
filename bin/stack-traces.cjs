'use strict'

// Stack traces name the sources, not the files they were bundled into. The maps are read for the first trace that somebody looks at:
// by process.setSourceMapsEnabled() each start reads more than two hundred, a tenth of its processor time, and keeps them in memory.
const { readFileSync } = require('node:fs')
const { SourceMap } = require('node:module')
const { join } = require('node:path')
const { fileURLToPath, pathToFileURL } = require('node:url')

const program = pathToFileURL(join(__dirname, '..', 'dist', 'program')).href

/** By file; undefined for one that has none. */
const maps = new Map()

function mapOf(file) {
  if (!maps.has(file)) maps.set(file, readMap(file))
  return maps.get(file)
}

function readMap(file) {
  try {
    return new SourceMap(JSON.parse(readFileSync(fileURLToPath(`${file}.map`), 'utf8')))
  } catch {
    // A trace without it is better than none.
    return undefined
  }
}

/** A frame as V8 says it, in its source. */
function named(frame) {
  const said = String(frame)
  const [file, line, column] = [frame.getFileName(), frame.getLineNumber(), frame.getColumnNumber()]
  if (typeof file !== 'string' || !file.startsWith(program) || line === null || column === null) return said
  const found = mapOf(file)?.findEntry(line - 1, column - 1)
  if (found?.originalSource === undefined) return said
  const source = fileURLToPath(new URL(found.originalSource, file))
  return said.replace(`${file}:${line}:${column}`, () => {
    return `${source}:${found.originalLine + 1}:${found.originalColumn + 1}`
  })
}

/** The name and the message of what was thrown, whatever it makes of being asked. */
function titleOf(error) {
  try {
    return Error.prototype.toString.call(error)
  } catch {
    return 'Error'
  }
}

Error.prepareStackTrace = (error, frames) =>
  [titleOf(error), ...frames.map(frame => `    at ${named(frame)}`)].join('\n')
