import { Problem } from '../base/problem.js'

/** The one answer to every address that leads nowhere for this caller, whether or not it leads somewhere for another. */
export class ResourceNotFound extends Problem {
  constructor() {
    super('not_found', 'Resource not found')
  }
}
