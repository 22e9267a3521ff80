import { Problem } from '../base/problem.js'
import { closest } from '../base/closest.js'
import { echo } from '../base/text.js'
import { meant } from './meant.js'

/**
 * A pipeline the guard does not let through. The sentence names the place, what stands there, why it can't stay and
 * the closest thing that is allowed, so that whoever wrote the pipeline (often a model) can mend it.
 */
export class Refusal extends Problem {
  override readonly name = 'Refusal'
  readonly path: string
  constructor(path: string, reason: string) {
    super('invalid_pipeline', `${path}: ${reason}`, { details: [{ path, message: reason }] })
    this.path = path
  }
}

/** Refuses a name that is not on an allow-list, with the reason where there is a known one and the closest allowed name. */
export function refuseName(
  path: string,
  kind: string,
  name: string,
  allowed: Iterable<string>,
  reasons: ReadonlyMap<string, string>,
): never {
  const reason = reasons.get(name)
  if (reason !== undefined) throw new Refusal(path, `${kind} ${echo(name)} is not allowed: ${reason}`)
  const names = [...allowed]
  const near = meant.get(name)?.find(one => names.includes(one)) ?? closest(name, names)
  const hint = near === undefined ? `Allowed are ${names.join(', ')}` : `Did you mean ${near}?`
  throw new Refusal(path, `${kind} ${echo(name)} is not known. ${hint}`)
}
