import type { ProblemDetail } from '../../../src/base/problem.js'
import type { Field } from './forms.js'
import type { Values } from './read-form.js'

/** What is wrong with one field: where in it, if not with all of it, and the service's words. */
export interface Fault {
  readonly name: string
  readonly place: string | undefined
  readonly why: string
}

export interface Faults {
  readonly placed: readonly Fault[]
  /** Whether that is all that is wrong. */
  readonly areAll: boolean
}

/** Which fields of a form the service names in a refusal, and what it says of each. */
export function faultsOf(details: readonly ProblemDetail[], fields: readonly Field[], values: Values): Faults {
  const names: ReadonlySet<string> = new Set(fields.map(({ name }) => name))
  const placed = details.flatMap(({ path, message }) => {
    const [name = '', ...more] = path.split('.')
    return names.has(name) ? [{ name, place: placeIn(values[name], more), why: besideField(message, path) }] : []
  })
  return { placed, areAll: details.length > 0 && placed.length === details.length }
}

/** Of a list what stands there, since nobody counts lines; of all else its path. */
function placeIn(value: unknown, path: readonly string[]): string | undefined {
  const [first] = path
  if (first === undefined) return undefined
  return Array.isArray(value) ? String(value[Number(first)]) : path.join('.')
}

/** A sentence of the service without the name that the API has for the field: it stands beside the field's own. */
function besideField(message: string, path: string): string {
  const name = `${JSON.stringify(path)} `
  const at = message.indexOf(name)
  const rest = at === -1 ? message : message.slice(at + name.length)
  return rest.charAt(0).toUpperCase() + rest.slice(1)
}
