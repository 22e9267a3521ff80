import { holdsMoreValues, MOST_JSON_VALUES } from '../base/json-weight.js'
import { Problem } from '../base/problem.js'

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** The value of a JSON body; undefined when the body is empty. @throws Problem `invalid_input` */
export function readJson(body: unknown): unknown {
  if (!(body instanceof Uint8Array) || body.length === 0) return undefined
  if (holdsMoreValues(body)) throw new Problem('invalid_input', `The body holds more than ${MOST_JSON_VALUES} values`)
  let text: string
  try {
    text = utf8.decode(body)
  } catch {
    throw new Problem('invalid_input', 'The body is not valid UTF-8')
  }
  try {
    return JSON.parse(text) as unknown
  } catch (error) {
    throw new Problem('invalid_input', `The body is not valid JSON${placeOf(error)}`)
  }
}

/** Where the parser stopped. Its own message repeats parts of the body, so only the position is taken from it. */
function placeOf(error: unknown): string {
  const position = error instanceof SyntaxError ? /position (\d+)/.exec(error.message)?.[1] : undefined
  return position === undefined ? '' : ` (at character ${Number(position) + 1})`
}
