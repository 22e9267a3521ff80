import { spawnSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'

/** What a program that imports the built log writes. */
function output(program: string): { stdout: string; stderr: string } {
  const source = `import { createLog } from './dist/log.js'; ${program}`
  return spawnSync(process.execPath, ['--input-type=module', '-e', source], { encoding: 'utf8' })
}

describe('the log', () => {
  test('goes to stderr as lines of JSON, and leaves stdout to results', () => {
    const { stdout, stderr } = output(`createLog({ level: 'info' }).info({ port: 8000 }, 'listening')`)
    expect(stdout).toBe('')
    expect(JSON.parse(stderr)).toMatchObject({ level: 'info', port: 8000, msg: 'listening' })
  })

  test('never shows what authenticates', () => {
    const { stderr } = output(
      `const log = createLog({ level: 'info' });
       log.info({ authorization: 'Bearer esk_1', req: { headers: { authorization: 'Bearer esk_2' } }, key: 'esk_3' }, 'x')
       log.child({}).info({ headers: { authorization: 'Bearer esk_4' } }, 'x')`,
    )
    expect(stderr).not.toContain('esk_')
    expect(stderr).toContain('[redacted]')
  })

  test('shows a reader what a terminal would obey', () => {
    const name = 'a\u001b[2J\u009b1A\u202eb\nWARN: c'
    const { stderr } = output(
      `const log = createLog({ level: 'info', format: 'pretty' });
       log.info({ name: ${JSON.stringify(name)} }, 'key ' + ${JSON.stringify(name)});
       log.error({ err: new Error(${JSON.stringify(name)}) }, 'failed')`,
    )
    // oxlint-disable-next-line no-control-regex
    expect(stderr).not.toMatch(/\u001b\[2J|\u009b|\u202e/)
    expect(stderr).toContain(String.raw`: key a\u001b[2J\u009b1A\u202eb\u000aWARN: c`)
    // Whoever reads it still sees where an error came from, a line each.
    expect(stderr).toMatch(/\n\s+at /)
  })

  test('is read by people on request', () => {
    const { stderr } = output(`createLog({ level: 'info', format: 'pretty' }).info('listening')`)
    expect(stderr).toMatch(/INFO.*: listening/)
  })
})
