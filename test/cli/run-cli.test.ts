import { readFileSync } from 'node:fs'
import { describe, expect, test, vi } from 'vitest'
import { runCli } from '../../src/cli/run-cli.js'

/** Runs a command in this process, with what it printed. For commands that do no work. */
async function run(args: readonly string[]) {
  let stdout = ''
  let stderr = ''
  vi.spyOn(console, 'log').mockImplementation((text: string) => void (stdout += text))
  vi.spyOn(process.stdout, 'write').mockImplementation(text => ((stdout += String(text)), true))
  vi.spyOn(process.stderr, 'write').mockImplementation(text => ((stderr += String(text)), true))
  try {
    const code = await runCli(args)
    return { code, stdout, stderr }
  } finally {
    vi.restoreAllMocks()
  }
}

/** The help of every command, as the page has it that is generated of it; that the page is current is checked beside the tests. */
const pages = readFileSync(new URL('../../docs/cli.md', import.meta.url), 'utf8')
  .split(/^## /m)
  .slice(1)
  .map(part => {
    const [, name = '', help = ''] = /^(.+)\n\n```text\n([^]*?)```/.exec(part) ?? []
    return { name, help }
  })

test('every command’s help says how it is written, with an example', () => {
  expect(pages.length).toBeGreaterThan(60)
  for (const { name, help } of pages) {
    expect(help).toContain(name)
    expect(help).toContain('--json')
    expect({ name, examples: /^Examples:\n +earshot /m.test(help) }).toEqual({ name, examples: true })
  }
})

test.each(['earshot', 'earshot keys', 'earshot keys mint'])('the help of %s is what the page says', async name => {
  const { code, stdout, stderr } = await run([...name.split(' ').slice(1), '--help'])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout.trim()).toBe(pages.find(page => page.name === name)?.help.trim())
})

test('the command alone shows its help', async () => {
  const { code, stdout, stderr } = await run([])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toContain('earshot summary')
})

describe('a command written wrongly', () => {
  test.each([
    ['a misspelt command', ['sreve'], 'Did you mean serve?'],
    ['a misspelt subcommand', ['keys', 'mnit'], 'Did you mean mint?'],
    ['no command', ['--json'], 'Name a command'],
    ['an unknown option', ['serve', '--prot', '1'], 'Unknown argument: prot'],
    ['a missing option', ['keys', 'list'], 'Something is missing: --project\n'],
    ['no subcommand', ['keys'], 'Something is missing: earshot keys <command>\n'],
    ['no file', ['import'], 'Something is missing: earshot import <file..>\n'],
    [
      'a role that is none',
      ['keys', 'mint', '--project', 'p', '--name', 'n', '--role', 'King'],
      '--role must be one of "Admin", "SuperAdmin", "Supervisor", "Auditor", "none", not "King"',
    ],
    ['an id that is none', ['project', 'create', 'A B'], '<project_id> must be 1 to 64 lower-case letters'],
    ['an option given twice', ['serve', '--port', '1', '--port', '2'], '--port was given more than once'],
    ['a port that is none', ['serve', '--port', 'http'], '--port is "http", not a whole number from 0 to 65535'],
    ['a dash for a file that is only named', ['rubric', 'set', '-', '--project', 'p'], '<file> is empty'],
    ['a dash for a directory', ['backup', '-'], '<directory> is empty'],
    ['a file without a name', ['import', '', '--project', 'p'], '<file> is empty'],
    ['a name that is empty', ['restore', ''], '<directory> is empty'],
    ['tables to standard output', ['export', '-', '--format', 'csv', '--project', 'p'], 'name the folder they go to'],
    ['an Admin without a project', ['admin-token', '--role', 'Admin'], 'give --project'],
  ])('%s ends with 2 and says so', async (_, args, said) => {
    const { code, stdout, stderr } = await run(args)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(said)
    expect(stderr).not.toMatch(/^\s+at /m)
  })
})
