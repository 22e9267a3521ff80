import { spawn } from 'node:child_process'

/** Runs a program to its end: its exit code, and all it said. */
export function outputOf(command, args, cwd) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] })
    let text = ''
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', part => (text += part))
    child.on('error', reject)
    child.on('close', code => resolve({ code, text }))
  })
}
