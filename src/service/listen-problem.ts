import { errorCode } from '../base/error-code.js'
import { Problem } from '../base/problem.js'

/** Why a listener could not start, in a sentence for the operator; anything else is handed back as it is. */
export function listenProblem<E>(error: E, host: string, port: number, variable: 'PORT' | 'MCP_PORT'): E | Problem {
  const code = errorCode(error)
  const place = `Port ${port} on ${host}`
  if (code === 'EADDRINUSE') {
    return new Problem('conflict', `${place} is in use by another process. Stop it, or set ${variable}.`)
  }
  if (code === 'EACCES') {
    return new Problem(
      'not_configured',
      `${place} needs rights this user does not have. Set ${variable} to 1024 or more.`,
    )
  }
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return new Problem(
      'not_configured',
      `This machine has no address ${host}. Set ${variable.replace('PORT', 'HOST')}.`,
    )
  }
  return error
}
