import { readFileSync } from 'node:fs'
import { basename } from 'node:path'

/**
 * What a process calls itself, such as `earshot serve`, or `undefined` where the system does not tell. Of its arguments
 * only a plain word is shown: others may be anything, secrets included.
 */
export function processName(pid: number): string | undefined {
  try {
    const [program = '', script = '', command = ''] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
    if (basename(program) !== 'node') return basename(program) || undefined
    if (basename(script) !== 'earshot' && basename(script) !== 'earshot.cjs') return 'node'
    return /^[a-z][a-z-]*$/.test(command) ? `earshot ${command}` : 'earshot'
  } catch {
    return undefined
  }
}
