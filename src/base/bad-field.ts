import { Problem } from './problem.js'

/**
 * What is wrong with a field that its schema could not tell.
 * @param why ends a sentence that begins with the field's name, behind a colon where it is a sentence of its own
 */
export function badField(path: string, why: string): Problem {
  const said = why.replace(/^: /, '')
  const message = said.charAt(0).toUpperCase() + said.slice(1)
  return new Problem('invalid_input', why.startsWith(':') ? `${path}${why}` : `${path} ${why}`, {
    details: [{ path, message }],
  })
}
