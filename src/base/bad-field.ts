import { Problem } from './problem.js'

/**
 * What is wrong with a field that its schema could not tell.
 * @param said ends a sentence that begins with the field's name; behind a colon it is one of its own
 */
export function badField(path: string, said: string, between: ' ' | ': ' = ' '): Problem {
  return new Problem('invalid_input', `${path}${between}${said}`, {
    details: [{ path, message: said.charAt(0).toUpperCase() + said.slice(1) }],
  })
}
