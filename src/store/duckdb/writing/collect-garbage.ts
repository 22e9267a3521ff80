import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * Has JavaScript let go of what nobody uses any more, and with it the engine's objects behind it. There is no other way
 * to have it done now than the flag of the debugger.
 */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc()')
}
