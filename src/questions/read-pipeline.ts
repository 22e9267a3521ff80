import { Refusal, defaultLimits } from '../pipeline/index.js'
import { whereNoJson } from './where-no-json.js'

/**
 * A pipeline as callers give it: an array, or an array written as a JSON text, which is what some models send. What it
 * holds is for the parser to judge.
 */
export function readPipeline(given: unknown): unknown {
  if (typeof given !== 'string') return given
  if (Buffer.byteLength(given) > defaultLimits.bytes) {
    throw new Refusal('pipeline', `is longer than ${defaultLimits.bytes} bytes`)
  }
  const { read, fault = '' } = readText(given)
  if (Array.isArray(read)) return read
  throw new Refusal(
    'pipeline',
    `is a text and no JSON array${fault}; give an array of stages, such as [{"$match": {…}}]`,
  )
}

function readText(text: string): { readonly read?: unknown; readonly fault?: string } {
  try {
    return { read: JSON.parse(text) as unknown }
  } catch {
    const where = whereNoJson(text)
    return where === undefined ? {} : { fault: `: ${where}` }
  }
}
