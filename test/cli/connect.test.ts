import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { runEarshot } from '../support/run-earshot.js'
import { tempDir } from '../support/temp-dir.js'

const URL_SAID = 'https://calls.example.com/mcp'

let home: string
let cursor: string

beforeEach(() => {
  home = tempDir()
  cursor = join(home, '.cursor', 'mcp.json')
  vi.spyOn(process, 'cwd').mockReturnValue(home)
})

afterEach(() => {
  vi.restoreAllMocks()
})

const connect = async (...args: readonly string[]) => await runEarshot(['connect', ...args], { env: { HOME: home } })

function given(text: string, path = cursor): string {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  return text
}

const read = (path = cursor): string => readFileSync(path, 'utf8')
const entries = (path = cursor): unknown => JSON.parse(read(path))
const beside = (path = cursor): readonly string[] => readdirSync(dirname(path)).sort()

describe('a client with a settings file', () => {
  test.each([
    ['cursor', '.cursor/mcp.json', { mcpServers: { earshot: { url: URL_SAID } } }],
    ['claude-code', '.mcp.json', { mcpServers: { earshot: { type: 'http', url: URL_SAID } } }],
    ['vscode', '.vscode/mcp.json', { servers: { earshot: { type: 'http', url: URL_SAID } } }],
  ])('%s gets one where there was none, for its owner’s eyes only', async (client, file, expected) => {
    const { code, stdout } = await connect(client, '--url', URL_SAID)
    expect(code).toBe(0)
    expect(stdout).toContain(`Written to ${join(home, file)}`)
    expect(entries(join(home, file))).toEqual(expected)
    expect(statSync(join(home, file)).mode & 0o777).toBe(0o600)
  })

  test.each([
    [{ EARSHOT_PUBLIC_URL: 'https://calls.example.com/' }, 'https://calls.example.com/mcp'],
    [{ EARSHOT_TLS_CERT: 'cert.pem', EARSHOT_TLS_KEY: 'key.pem', MCP_PORT: '9001' }, 'https://localhost:9001/mcp'],
  ])('without an address it is the one of the settings: %j', async (env, url) => {
    const { code } = await runEarshot(['connect', 'cursor'], { env: { HOME: home, ...env } })
    expect(code).toBe(0)
    expect(entries()).toEqual({ mcpServers: { earshot: { url } } })
  })

  test('an empty file is as good as none', async () => {
    given('')
    expect((await connect('cursor')).code).toBe(0)
    expect(entries()).toEqual({ mcpServers: { earshot: { url: 'http://127.0.0.1:8001/mcp' } } })
  })

  test.each([
    [
      'comments',
      '{\n  // mine\n  "mcpServers": {\n    "a": { "url": "x" } // about a\n    /* the end */\n  },\n  "more": 1e400\n}\n',
    ],
    ['a comma at the end', '{\n\t"mcpServers": {\n\t\t"a": {}, // a, b\n\t},\n}\n'],
    ['Windows’ lines and a byte order mark', '\uFEFF{\r\n  "mcpServers": {\r\n    "a": {}\r\n  }\r\n}\r\n'],
    ['numbers that no program holds', '{"mcpServers": {"a": {"id": 12345678901234567890}\n}}'],
  ])('%s stay as they are, and taking ours out gives the old file', async (_, text) => {
    given(text)
    chmodSync(cursor, 0o640)
    expect(await connect('cursor', '--url', URL_SAID)).toMatchObject({ code: 0, stderr: '' })
    const written = read()
    expect(written).toContain(`"url": "${URL_SAID}"`)
    // Every line of the old file is still there, in its order, but for the comma that the entry before ours needs.
    const bare = (line: string) => line.replaceAll(/[,\s]/g, '')
    const left = written.split('\n').map(bare)
    for (const line of text.split('\n').map(bare)) {
      expect(left).toContain(line)
      left.splice(0, left.indexOf(line) + 1)
    }
    expect(statSync(cursor).mode & 0o777).toBe(0o640)
    const old = beside().find(name => name.endsWith('.old')) ?? ''
    expect(read(join(dirname(cursor), old))).toBe(text)

    expect((await connect('cursor', '--undo')).code).toBe(0)
    expect(read()).toBe(text)
    expect(beside().filter(name => name.endsWith('.part'))).toEqual([])
  })

  test('the first of several entries goes alone, and a comment that ends with its line breaks nothing', async () => {
    const ours = `"earshot": { "url": "${URL_SAID}" }`
    given(`{ "mcpServers": { ${ours}, "b": {} } }`)
    await connect('cursor', '--undo')
    expect(entries()).toEqual({ mcpServers: { b: {} } })
    given(`{ "mcpServers": { "a": {}, // c\n ${ours} } }`)
    expect((await connect('cursor', '--undo')).code).toBe(0)
    expect(read()).toMatch(/"a": \{\} \/\/ c\n\s*\} \}/)
  })

  test('twice the same changes nothing, and keeps no old file', async () => {
    await connect('cursor')
    const first = read()
    const { stdout } = await connect('cursor', '--json')
    expect(JSON.parse(stdout)).toMatchObject({ changed: false, file: cursor })
    expect(read()).toBe(first)
    expect(beside()).toEqual(['mcp.json'])
  })

  test('another entry of the name is not overwritten, and what somebody made their own is not taken out', async () => {
    const text = given('{ "mcpServers": { "earshot": { "url": "http://127.0.0.1:8001/mcp", "env": {} } } }')
    const refused = await connect('cursor')
    expect(refused.code).toBe(1)
    expect(refused.stderr).toContain('has another entry "earshot"')
    const left = await connect('cursor', '--undo')
    expect(left.code).toBe(1)
    expect(left.stderr).toContain('it was left')
    expect(read()).toBe(text)
    given(`{ "mcpServers": { "earshot": { "url": "${URL_SAID}" } } }`)
    expect((await connect('cursor', '--undo', '--url', 'https://other.example.com/mcp')).code).toBe(1)
  })

  test.each([
    ['{\n  "mcpServers": {\n    "a": \n  }\n}', 'line 4, column 3'],
    ['{ "mcpServers": {} } trailing', 'line 1, column 22'],
    ['{\n "mcpServers": [] }', 'has no object as "mcpServers" at line 2, column 16'],
    ['{ "mcpServers": {}, "mcpServers": {} }', 'says "mcpServers" twice'],
    ['{ "mcpServers": { "earshot": {}, "earshot": {} } }', 'says "earshot" twice'],
    ['[]', 'is no JSON object at line 1, column 1'],
  ])('a file that is broken is refused with its place: %j', async (text, place) => {
    given(text)
    for (const more of [[], ['--undo']]) {
      const { code, stderr } = await connect('cursor', ...more)
      expect(code).toBe(1)
      expect(stderr).toContain(place)
      expect(read()).toBe(text)
    }
    expect(beside()).toEqual(['mcp.json'])
  })

  test('a file that is no text is refused', async () => {
    given('')
    writeFileSync(cursor, Buffer.from([0x7b, 0xff, 0x7d]))
    expect((await connect('cursor')).stderr).toContain('no text in UTF-8')
  })

  test('a link stays a link', async () => {
    const real = join(home, 'dotfiles.json')
    given('{}', real)
    mkdirSync(dirname(cursor))
    symlinkSync(real, cursor)
    expect((await connect('cursor')).code).toBe(0)
    expect(entries(real)).toHaveProperty('mcpServers.earshot')
  })

  test('--print writes nothing', async () => {
    const { stdout } = await connect('cursor', '--print', '--json')
    expect(JSON.parse(stdout)).toMatchObject({ changed: false, entry: { mcpServers: { earshot: {} } } })
    expect(readdirSync(home)).toEqual([])
  })
})

test('a key is named by its variable and never written', async () => {
  const env = { HOME: home, EARSHOT_KEY: 'esk_secret' }
  const one = await runEarshot(['connect', 'claude-code', '--key-env', 'EARSHOT_KEY'], { env })
  await runEarshot(['connect', 'cursor', '--key-env', 'EARSHOT_KEY'], { env })
  const codex = await runEarshot(['connect', 'codex', '--key-env', 'EARSHOT_KEY'], { env })
  expect(entries(join(home, '.mcp.json'))).toHaveProperty(
    'mcpServers.earshot.headers.Authorization',
    'Bearer ${EARSHOT_KEY}',
  )
  expect(entries()).toHaveProperty('mcpServers.earshot.headers.Authorization', 'Bearer ${env:EARSHOT_KEY}')
  expect(codex.stdout).toContain('[mcp_servers.earshot]')
  expect(codex.stdout).toContain('bearer_token_env_var = "EARSHOT_KEY"')
  expect(one.stdout + codex.stdout + read() + read(join(home, '.mcp.json'))).not.toContain('esk_secret')
  const vscode = await runEarshot(['connect', 'vscode', '--key-env', 'EARSHOT_KEY'], { env })
  expect(vscode.stdout).toContain('Nothing is written')
  const keyItself = await runEarshot(['connect', 'cursor', '--key-env', 'esk_secret'], { env })
  expect(keyItself.code).toBe(2)
  expect(keyItself.stderr).not.toContain('esk_secret')
  expect((await runEarshot(['connect', 'claude', '--key-env', 'EARSHOT_KEY'], { env })).code).toBe(2)
})

test.each([
  ['--name', '__proto__'],
  ['--name', 'a"; rm -rf ~'],
  ['--name', '../x'],
  ['--name', '\u001B[2J'],
  ['--name', ''],
  ['--key-env', 'A}${B'],
  ['--url', 'ftp://calls.example.com/mcp'],
  ['--url', 'https://user:password@calls.example.com/mcp'],
  ['--url', 'https://calls.example.com/mcp?key=esk_1'],
  ['--url', "https://calls.example.com/$(id)'/mcp"],
  ['--url', 'https://calls.example.com/sse'],
])('%s %j is refused, and nothing is written', async (option, value) => {
  const { code, stderr } = await connect('cursor', `${option}=${value}`)
  expect(code).toBe(2)
  for (const secret of ['password@', 'esk_1', '\u001B']) expect(stderr).not.toContain(secret)
  expect(readdirSync(home)).toEqual([])
})

test('names that objects have of their own are names', async () => {
  given('{ "mcpServers": {} }')
  expect((await connect('cursor', '--name', 'constructor')).code).toBe(0)
  expect(Object.keys((entries() as { mcpServers: object }).mcpServers)).toEqual(['constructor'])
  expect((await connect('cursor', '--name', 'toString', '--undo', '--json')).stdout).toContain('"changed":false')
})

test('clients in their maker’s cloud are told that an address of this machine does not work there', async () => {
  for (const client of ['claude', 'chatgpt']) {
    expect((await connect(client)).stdout).toContain('This will not work with http://127.0.0.1:8001/mcp')
    const reached = await connect(client, '--url', 'https://calls.example.com')
    expect(reached.stdout).toContain(`Address: ${URL_SAID}`)
    expect(reached.stdout).not.toContain('will not work')
  }
  expect(readdirSync(home)).toEqual([])
})

test('links hold what the file would', async () => {
  const link = async (client: string) =>
    (JSON.parse((await connect(client, '--url', URL_SAID, '--print', '--json')).stdout) as { link: string }).link
  const cursorLink = new URL(await link('cursor'))
  expect(cursorLink.href).toMatch(/^cursor:\/\/anysphere\.cursor-deeplink\/mcp\/install\?name=earshot&config=/)
  expect(JSON.parse(Buffer.from(cursorLink.searchParams.get('config') ?? '', 'base64').toString())).toEqual({
    url: URL_SAID,
  })
  const [start, config = ''] = (await link('vscode')).split('?')
  expect(start).toBe('vscode:mcp/install')
  expect(JSON.parse(decodeURIComponent(config))).toEqual({ name: 'earshot', type: 'http', url: URL_SAID })
})
